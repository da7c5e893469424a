import type { BotRoutes } from '../internals.ts';
import type { BotServices } from '../routing/turn.ts';

/** How long the start of a bot waits for the server, in milliseconds. */
const PATIENCE_MS = 2000;

/**
 * Asks the chat server to deliver the changes of messages for which a bot has handlers to its webhook.
 * Calls nothing for other bots. A failure is a warning: the bot works without.
 */
export async function requestChanges(
  routes: Pick<BotRoutes, 'changes' | 'hasChangeHandlers'>,
  { rest, warn }: Pick<BotServices, 'rest' | 'warn'>,
): Promise<void> {
  const changes = [...routes.changes()];
  const isNeeded = routes.hasChangeHandlers();
  if (changes.length === 0 || (rest === undefined && !isNeeded)) return;
  const tell = (why: string, error?: unknown) =>
    warn('changes_missing', `The bot gets no ${changes.join(', ')} of messages: ${why}`, error);
  if (rest === undefined) return tell('give createBot `api: { url, apiKey }`.');
  const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
  await rest.client.botChanges
    .update({ changes }, options)
    .catch(
      (error: unknown) =>
        isNeeded &&
        tell("the server did not agree. Servers without it need `transport: 'queue'`.", error),
    );
}
