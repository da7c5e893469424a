/**
 * A child process: sends notifications with one library of test/bench/peers, and reports what the
 * library says of each.
 */
import type { LibraryTarget, PushLibrary, SendResult } from './push-library.ts';

/** What the parent sends. */
export interface SendOrder {
  readonly notifications: readonly { readonly token: string; readonly text: string }[];
  /** Notifications under way at a time. */
  readonly concurrency: number;
}
/** What the process answers. */
export interface SendReport {
  /** In the order of the notifications; undefined: the library had not answered in time. */
  readonly results: readonly (SendResult | undefined)[];
  readonly milliseconds: number;
  /** Processor time in microseconds. */
  readonly microseconds: number;
}

const ANSWER_WITHIN_MS = 20_000;

const [file = '', target = ''] = process.argv.slice(2);
const { library } = (await import(`../peers/${file}.ts`)) as { library: PushLibrary };
const client = await library.open(JSON.parse(target) as LibraryTarget);

async function send({ notifications, concurrency }: SendOrder): Promise<SendReport> {
  const results = Array<SendResult | undefined>(notifications.length).fill(undefined);
  const before = process.cpuUsage();
  const begun = performance.now();
  let next = 0;
  const sender = async () => {
    for (let index = next++; index < notifications.length; index = next++) {
      const { token, text } = notifications[index] ?? { token: '', text: '' };
      results[index] = await client.send(token, text);
    }
  };
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, ANSWER_WITHIN_MS);
  await Promise.race([Promise.all(Array.from({ length: concurrency }, sender)), deadline.promise]);
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(before);
  const milliseconds = performance.now() - begun;
  return { results: [...results], milliseconds, microseconds: user + system };
}

process.on('message', (order: SendOrder) => {
  void send(order).then((report) => process.send?.(report));
});
// Some libraries emit errors of connections that nobody can listen to.
process.on('uncaughtException', () => {});
process.on('disconnect', () => process.exit());
process.send?.('ready');
