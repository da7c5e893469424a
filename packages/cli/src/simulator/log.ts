import {
  defineCommand,
  type FlagValues,
  switchFlag,
  untilSignal,
} from '@bellhop/bot-cli/command-line';
import { z } from 'zod';

import { type ControlClient, requireSimulator, simulatorFlags } from './control-client.ts';

const Requests = z.object({
  requests: z.array(
    z.looseObject({
      seq: z.int(),
      time: z.number(),
      provider: z.string(),
      method: z.string(),
      path: z.string(),
      size: z.int(),
      body: z.string(),
      status: z.int().nullable(),
      answer: z.string(),
      outcome: z.string(),
    }),
  ),
});
type Request = z.output<typeof Requests>['requests'][number];

/** How long one request of `--follow` waits, in seconds. */
const WAIT_SECONDS = 30;

const flags = {
  ...simulatorFlags,
  follow: switchFlag('Go on with the requests as they come, until Ctrl-C'),
  bodies: switchFlag('Add the bodies of requests and answers'),
  json: switchFlag('One line of JSON for each request, with headers and bodies'),
};
type Flags = FlagValues<typeof flags>;

export const log = defineCommand({
  description: `One line for each request: time, provider, status of the answer, outcome, size of the body, path.
The latest 1000 are kept. Credentials are left out.`,
  flags,
  async run({ follow, ...shown }) {
    const simulator = await requireSimulator(shown);
    const print = printer(shown);
    const last = print(await requestsAfter(simulator, 0));
    if (last === 0 && !follow && !shown.json) console.log('No request has come yet.');
    if (!follow) return 0;
    return untilSignal({
      async start(stopping, end) {
        const following = followFrom(simulator, last, print, stopping).catch((error: unknown) => {
          if (!stopping.aborted) console.error((error as Error).message);
          end();
        });
        return () => following;
      },
    });
  },
});

async function followFrom(
  simulator: ControlClient,
  start: number,
  print: (requests: readonly Request[], after: number) => number,
  signal: AbortSignal,
): Promise<void> {
  for (let after = start; !signal.aborted;)
    after = print(await requestsAfter(simulator, after, signal), after);
}

async function requestsAfter(simulator: ControlClient, after: number, signal?: AbortSignal) {
  const wait = signal === undefined ? 0 : WAIT_SECONDS;
  const path = `/requests?after=${after}&wait=${wait}`;
  return Requests.parse(await simulator.call('GET', path, signal ? { signal } : {})).requests;
}

/** Prints requests; returns the `seq` of the last one. */
function printer({ bodies, json }: Pick<Flags, 'bodies' | 'json'>) {
  return (requests: readonly Request[], after = 0): number => {
    for (const request of requests) {
      console.log(json ? JSON.stringify(request) : lineOf(request));
      if (!bodies || json) continue;
      if (request.body !== '') console.log(`    sent     ${request.body}`);
      if (request.answer !== '') console.log(`    answered ${request.answer}`);
    }
    return requests.at(-1)?.seq ?? after;
  };
}

function lineOf({ time, provider, status, outcome, size, method, path }: Request): string {
  const clock = new Date(time).toISOString().slice(11, 23);
  const shown = path.length > 60 ? `${path.slice(0, 57)}...` : path;
  const facts = [provider.padEnd(7), String(status ?? '-').padEnd(3), outcome.padEnd(22)];
  return `${clock} ${facts.join(' ')} ${String(size).padStart(5)} B ${method} ${shown}`;
}
