import { BotError } from './bot-error.ts';
import { type AnyBot, internals } from './internals.ts';

/**
 * Opens the stores of bots by reading from them. Rejects with BotError `store_failed` if one cannot be
 * read, or does not answer in time: a bot that starts without its store fails at every message.
 */
export async function openStores(bots: readonly AnyBot[], patienceMs = 10_000): Promise<void> {
  const stores = new Set(bots.flatMap((bot) => bot[internals].settings.store ?? []));
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const message = `The store of the bot has not answered within ${patienceMs} ms: can it be reached?`;
  const timer = setTimeout(() => reject(new BotError('store_failed', message)), patienceMs);
  tooLate.catch(() => {});
  try {
    const opened = Array.from(stores, (store) => Promise.race([store.get('start'), tooLate]));
    await Promise.all(opened);
  } finally {
    clearTimeout(timer);
  }
}
