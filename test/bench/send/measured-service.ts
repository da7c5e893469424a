import { load } from '../load.ts';
import type { Service } from '../start-service.ts';
import { percentile } from '../statistics.ts';
import { postgresTime } from './processor-time.ts';
import type { Sequence } from './sequence.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** The measures of one run. Latencies are milliseconds, processor time is microseconds per message. */
export interface SendRun {
  readonly perSecond: number;
  /** Messages per second that it stores: as many as it answers, unless it answers first. */
  readonly storedPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** From the response to the message until the webhook is called: 95th percentile. */
  readonly webhookP95: number;
  readonly serverTime: number;
  readonly postgresTime: number;
}

export interface MeasuredServiceOptions {
  readonly name: string;
  readonly service: Pick<Service<{ readonly url: string }>, 'ready' | 'processorTime'>;
  readonly sequence: Sequence;
  readonly arrivals: ReturnType<WebhookEndpoint['arrivals']>;
  /** The process number of its PostgreSQL. */
  readonly postmaster: number;
  /** How many senders write at the same time. */
  readonly connections: number;
  /** For a service that answers before it has stored: waits until it has stored so many messages in all. */
  readonly untilStored?: (messages: number) => Promise<void>;
}

/** A service that goes on with the sequence of messages where its last run ended. */
export interface MeasuredService {
  readonly name: string;
  readonly run: (seconds: number) => Promise<SendRun>;
}

const RUN_SECONDS = 4;
/** Long enough for the just-in-time compiler to settle. */
const WARM_UP_SECONDS = 8;

/** Warms the services up, then runs each once a round, in an order that turns round with each. */
export async function runsInTurn(
  services: readonly MeasuredService[],
  rounds: number,
): Promise<Map<MeasuredService, SendRun[]>> {
  const runs = new Map<MeasuredService, SendRun[]>(services.map((service) => [service, []]));
  for (const service of services) await service.run(WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++)
    for (const service of round % 2 === 0 ? services : services.toReversed())
      runs.get(service)?.push(await service.run(RUN_SECONDS));
  return runs;
}

const WEBHOOK_DEADLINE_MS = 60_000;

export function measuredService(options: MeasuredServiceOptions): MeasuredService {
  const { name, service, sequence, arrivals, postmaster, connections, untilStored } = options;
  const port = Number(new URL(service.ready.url).port);
  let from = 0;
  const run = async (seconds: number): Promise<SendRun> => {
    /** Per id of a message that mentions the bot, when its sender had the response. */
    const responses = new Map<number, number>();
    const before = { server: await service.processorTime(), postgres: postgresTime(postmaster) };
    const begun = performance.now();
    const { requests, perSecond, latencies } = await load({
      port,
      requests: sequence.requests,
      from,
      milliseconds: seconds * 1000,
      atLeast: 1,
      connections,
      onResponse: (index, body) => {
        if (sequence.mentionsBot(index))
          responses.set((JSON.parse(body) as { id: number }).id, performance.now());
      },
    });
    from += requests;
    await untilStored?.(from);
    const secondsStored = (performance.now() - begun) / 1000;
    const delays = await webhookDelays(name, responses, arrivals);
    const after = { server: await service.processorTime(), postgres: postgresTime(postmaster) };
    return {
      perSecond,
      storedPerSecond: untilStored ? requests / secondsStored : perSecond,
      p50: percentile(latencies, 50),
      p95: percentile(latencies, 95),
      p99: percentile(latencies, 99),
      webhookP95: percentile(delays, 95),
      serverTime: (after.server - before.server) / requests,
      postgresTime: (after.postgres - before.postgres) / requests,
    };
  };
  return { name, run };
}

/** Waits until the webhook was called for every message. A call may overtake the response. */
async function webhookDelays(
  name: string,
  responses: ReadonlyMap<number, number>,
  arrivals: Map<number, number>,
): Promise<number[]> {
  const deadline = performance.now() + WEBHOOK_DEADLINE_MS;
  const missing = () => [...responses.keys()].filter((id) => !arrivals.has(id));
  while (missing().length > 0) {
    if (performance.now() > deadline)
      throw new Error(`${name} did not call the webhook for ${missing().length} messages`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const delays = [...responses].map(([id, at]) => Math.max(0, (arrivals.get(id) ?? 0) - at));
  arrivals.clear();
  return delays;
}
