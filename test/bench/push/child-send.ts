/**
 * A child process: sends notifications with one library, and reports what the
 * library says of each.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { LibraryTarget, PushLibrary, SendResult } from './push-library.ts';

/** The message of the parent. */
export interface SendOrder {
  readonly notifications: readonly { readonly token: string; readonly text: string }[];
  /** Notifications under way at a time. */
  readonly concurrency: number;
  /** Sends no faster than this. */
  readonly perSecond?: number;
}
/** The answer of the process. */
export interface SendReport {
  /** In the order of the notifications; undefined: the library had not answered in time. */
  readonly results: readonly (SendResult | undefined)[];
  readonly milliseconds: number;
  /** The latency of each answered notification, in milliseconds. */
  readonly latencies: readonly number[];
  /** Processor time in microseconds. */
  readonly microseconds: number;
}

const ANSWER_WITHIN_MS = 20_000;

const [file = '', target = ''] = process.argv.slice(2);
const { library } = (await import(`../${file}.ts`)) as { library: PushLibrary };
const client = await library.open(JSON.parse(target) as LibraryTarget);

async function send({ notifications, concurrency, perSecond }: SendOrder): Promise<SendReport> {
  const results = Array<SendResult | undefined>(notifications.length).fill(undefined);
  const latencies: number[] = [];
  const before = process.cpuUsage();
  const begun = performance.now();
  let next = 0;
  const sender = async () => {
    for (let index = next++; index < notifications.length; index = next++) {
      const { token, text } = notifications[index] ?? { token: '', text: '' };
      const early = perSecond ? (index * 1_000) / perSecond - (performance.now() - begun) : 0;
      if (early > 0) await sleep(early);
      const sent = performance.now();
      results[index] = await client.send(token, text);
      latencies.push(performance.now() - sent);
    }
  };
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, ANSWER_WITHIN_MS);
  await Promise.race([Promise.all(Array.from({ length: concurrency }, sender)), deadline.promise]);
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(before);
  const milliseconds = performance.now() - begun;
  return { results: [...results], milliseconds, latencies, microseconds: user + system };
}

process.on('message', (order: SendOrder) => {
  void send(order).then((report) => process.send?.(report));
});
// Some libraries emit errors on connections to which no listener can be attached.
process.on('uncaughtException', () => {});
process.on('disconnect', () => process.exit());
process.send?.('ready');
