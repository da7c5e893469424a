import { isUnknownRoute } from '@bellhop/client/plain';
import { ApiError } from '@bellhop/protocol/plain';

import { type ApiAccess } from './bot-options.ts';
import { type AnyBot, internals } from './internals.ts';

export interface Identity {
  readonly bot: AnyBot;
  readonly tokens: readonly string[];
  readonly api: ApiAccess;
  /** The address at which the bot receives webhooks; undefined without webhooks. */
  readonly url: string | undefined;
}

/**
 * The time limit of the check, in milliseconds, so that it does not hold up the start of the bot.
 */
const PATIENCE_MS = 5000;

/**
 * Asks the chat server to compare the API key, the tokens and the address of a bot with its own
 * records. Returns a sentence for each mismatch; none on a server without this check.
 */
export async function checkIdentity({ bot, tokens, api, url }: Identity): Promise<string[]> {
  const client = bot[internals].settings.rest?.client;
  if (!client) return [];
  const options = { signal: AbortSignal.timeout(PATIENCE_MS), retryPolicy: false } as const;
  const problems: string[] = [];
  try {
    for (const token of tokens) {
      const checked = await client.botDeliveries.verify({ token }, options);
      const { payload_url, state, reason } = checked.endpoint;
      if (checked.token === 'wrong')
        problems.push(
          `BOT_TOKEN: the chat server has another token for ${bot.email}, so this bot refuses its deliveries with 401. The owner of the bot sees the token in its settings.`,
        );
      if (token !== tokens[0]) continue;
      problems.push(...addressProblem(url, payload_url));
      if (state === 'disabled') problems.push(`The webhook is disabled. ${reason ?? ''}`.trim());
    }
  } catch (error) {
    return [...problems, ...failure(error, api)];
  }
  return problems;
}

function failure(error: unknown, { url }: ApiAccess): string[] {
  // A server without the check.
  if (isUnknownRoute(error)) return [];
  if (!(error instanceof ApiError)) return [`BOT_SITE: ${url} does not answer.`];
  if (error.status === 401) return [`BOT_API_KEY: the chat server refuses it: ${error.message}`];
  return error.code === 'BAD_REQUEST' && error.status === 400
    ? [`BOT_EMAIL: ${error.message}`]
    : [];
}

const isHere = ({ hostname }: URL) => /^(localhost|127\..*|\[::1\])$/.test(hostname);

/** Only addresses of one machine can be compared: a proxy may be before any other. */
function addressProblem(own: string | undefined, known: string): string[] {
  const listens = own === undefined ? null : URL.parse(own);
  const called = URL.parse(known);
  if (!listens || !called || !isHere(called) || listens.port === called.port) return [];
  return [
    `The payload URL of the bot user is ${known}, but this bot listens on ${own}: change one of them.`,
  ];
}
