import { type Hooks, logWarning, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';

/** How long the start of a bot waits for the server, in milliseconds. */
const PATIENCE_MS = 2000;

/**
 * Asks the chat server to deliver the changes of messages for which bots have handlers to their
 * webhooks. Calls nothing for other bots. A failure is a warning: the bot works without.
 */
export async function requestChanges(
  bots: readonly AnyBot[],
  { onWarning = logWarning }: Pick<Hooks, 'onWarning'> = {},
): Promise<void> {
  await Promise.all(
    bots.map(async (bot) => {
      const { changes: wanted, needsChanges, rest } = bot[internals];
      const changes = [...wanted()];
      const isNeeded = needsChanges();
      if (changes.length === 0 || (rest === undefined && !isNeeded)) return;
      const warn = (why: string, error?: unknown) =>
        report(onWarning, {
          code: 'changes_missing',
          message: `The bot gets no ${changes.join(', ')} of messages: ${why}`,
          botEmail: bot.email,
          ...(error === undefined ? {} : { error }),
        });
      if (rest === undefined) return warn('give createBot `api: { url, apiKey }`.');
      const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
      await rest.client.botChanges
        .update({ changes }, options)
        .catch(
          (error: unknown) =>
            isNeeded &&
            warn("the server did not agree. Servers without it need `transport: 'queue'`.", error),
        );
    }),
  );
}
