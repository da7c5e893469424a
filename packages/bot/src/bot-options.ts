import { BotError } from './bot-error.ts';
import type { Clock } from './clock.ts';
import type { Order } from './deliveries/conversation-order.ts';
import type { Scope } from './sessions/scope-key.ts';
import type { StandardSchema } from './sessions/standard-schema.ts';
import type { Store } from './stores/store.ts';

/** Undefined is accepted so that environment variables can be passed on: it is refused clearly. */
export interface BotIdentity {
  readonly email: string | undefined;
  /** The live token of the bot's outgoing webhook, or several while one is being replaced. */
  readonly token: string | readonly string[] | undefined;
}

/** How a bot speaks by REST. */
export interface ApiAccess {
  /** The server's address: `https://chat.example.com`. */
  readonly url: string;
  readonly apiKey: string;
}

export interface BotOptions extends BotIdentity {
  /** Needed for replies after the deadline or after the first, and for all other calls. */
  readonly api?: ApiAccess | undefined;
  /** Where the bot keeps sessions, dialogs and replies it owes. In memory unless said otherwise. */
  readonly store?: Store;
  /** What happens to a message while another of its conversation is handled: it waits. */
  readonly order?: Order;
  /** How long a handler may run, 10 minutes unless said otherwise. */
  readonly handlerTimeoutMs?: number;
  /** How many messages may wait in one conversation, 100 unless said otherwise. */
  readonly maxWaiting?: number;
  /** A bot that replies more often in one conversation pauses there; 30 unless said otherwise. */
  readonly maxRepliesPerMinute?: number;
  /** Whether people see the bot typing while a handler takes more than a second: true. */
  readonly typing?: boolean;
  readonly clock?: Clock;
}

/** What a bot remembers between messages. */
export interface SessionOptions<Session> {
  /**
   * Who shares it: everybody in the conversation, one user wherever they write, one user in one
   * conversation, everybody who uses the bot, or all messages with the same text of yours.
   */
  readonly scope: Scope;
  /** What a session begins with: JSON only, no Date, Map or class. */
  readonly initial: () => Session;
  /** Checks, and may upgrade, what an older version of the bot has left; zod makes them. */
  readonly schema?: StandardSchema<Session>;
  /** How long it is remembered after its last change, in milliseconds. For good when left out. */
  readonly ttlMs?: number;
}

export interface SessionBotOptions<Session> extends BotOptions {
  readonly session: SessionOptions<Session>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What each variable holds. */
const variables = {
  BOT_EMAIL: 'the e-mail address of the bot user, as the chat server shows it',
  BOT_TOKEN: 'the token of its outgoing webhook, or several, separated by commas',
  BOT_SITE: 'the address of the chat server, as https://chat.example.com',
  BOT_API_KEY: 'the API key of the bot user; with BOT_SITE, for replies by REST',
} as const;

interface EnvironmentOptions extends BotOptions {
  readonly email: string;
  readonly token: readonly string[];
}

/**
 * The options of a bot from environment variables: BOT_EMAIL and BOT_TOKEN, and for the REST API
 * BOT_SITE and BOT_API_KEY. Throws BotError `config_invalid` that names each missing or wrong one.
 */
export function botOptions(environment: Environment = process.env): EnvironmentOptions {
  const { BOT_EMAIL: email, BOT_TOKEN: token, BOT_SITE: url, BOT_API_KEY: apiKey } = environment;
  const problems: string[] = [];
  const need = (name: keyof typeof variables) => problems.push(`${name}: ${variables[name]}`);
  if (!email?.trim()) need('BOT_EMAIL');
  if (!token?.trim()) need('BOT_TOKEN');
  if (apiKey && !url) need('BOT_SITE');
  if (url && !apiKey) need('BOT_API_KEY');
  if (url && !/^https?:\/\/[^/]/.test(url)) problems.push(`BOT_SITE: ${url} is no address`);
  if (problems.length > 0)
    throw new BotError(
      'config_invalid',
      `These variables are missing or wrong.\n${problems.join('\n')}`,
    );
  return {
    email: email?.trim() ?? '',
    token: (token ?? '').split(',').map((one) => one.trim()),
    ...(url && apiKey ? { api: { url, apiKey } } : {}),
  };
}
