import { setTimeout as sleep } from 'node:timers/promises';

import { problemInRefusal } from '../assess.ts';
import type { Check, CheckGroup } from '../check.ts';
import { fault, ok, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import { directMessage } from '../payloads.ts';
import { shown } from './credentials.ts';

/** The body gets one byte in each of these parts of `slowMs`. */
const STEPS = 40;

const drip: Check = {
  check: 'a body sent byte by byte',
  async run(target) {
    const body = JSON.stringify({ ...directMessage(target), token: 'x'.repeat(32) });
    const slow = target.send({
      headers: { 'content-length': String(Buffer.byteLength(body)) },
      body: dripping(body, target.slowMs / STEPS),
      timeoutMs: target.slowMs,
    });
    await sleep(target.slowMs / STEPS);
    const servesOthers = await isAlive(target);
    const answer = await slow;
    if (!servesOthers)
      return fault(
        'other requests were not answered meanwhile',
        'One slow client stops it for everybody: handle requests concurrently.',
      );
    const after = `after ${(answer.ms / 1000).toFixed(1)} s`;
    if (answer.kind === 'fault' && answer.fault === 'closed')
      return ok(`it closed the connection ${after}`);
    if (answer.kind === 'response')
      return problemInRefusal(answer, target) ?? ok(`${shown(answer)} ${after}`);
    return warning(
      `still waiting ${after}`,
      'The probe cannot see whether it ever closes the connection: limit the time of a request to about 10 s (requestTimeout of a Node server, 5 minutes by default).',
    );
  },
};

/** Clients that send slowly. */
export const slowness: CheckGroup = { group: 'slowness', checks: [drip] };

async function* dripping(body: string, everyMs: number) {
  for (let at = 0; ; at++) {
    // Half of the body is never sent, so that the request stays incomplete.
    yield at < body.length / 2 ? body.charAt(at) : '';
    await sleep(everyMs);
  }
}
