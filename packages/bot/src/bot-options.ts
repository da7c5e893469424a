import { BotError } from './bot-error.ts';
import type { Clock } from './clock.ts';
import type { Order } from './message-order.ts';
import type { Scope } from './sessions/scope-key.ts';
import type { StandardSchema } from './sessions/standard-schema.ts';
import type { Store } from './stores/store.ts';
import type { AuditRecord } from './trust/audit.ts';

/** The types allow undefined, so that environment variables fit; createBot refuses it. */
export interface BotIdentity {
  readonly email: string | undefined;
  /**
   * The live token of the bot's outgoing webhook, or several while one is being replaced. Every place
   * that receives webhooks needs it; the event queue does not.
   */
  readonly token?: string | readonly string[] | undefined;
}

/** Access to the REST API. */
export interface ApiAccess {
  /** The server's address: `https://chat.example.com`. */
  readonly url: string;
  readonly apiKey: string;
}

export interface BotOptions extends BotIdentity {
  /** Needed for late and further replies, and for all other calls of the API. */
  readonly api?: ApiAccess | undefined;
  /** Keeps sessions, dialogs, tasks and pending replies; default: in memory. */
  readonly store?: Store;
  /** The order of messages in one conversation; default: `queue`. */
  readonly order?: Order;
  /** How long a handler may run, in milliseconds; default: 10 minutes. */
  readonly handlerTimeoutMs?: number;
  /** How many messages may wait in one conversation; default: 100. */
  readonly maxWaiting?: number;
  /** With more replies in one conversation the bot pauses there; default: 30. */
  readonly maxRepliesPerMinute?: number;
  /** Whether users see the bot typing while a handler takes more than a second; default: true. */
  readonly typing?: boolean;
  /**
   * Whether questions of dialogs, confirmations and choices in a channel subscribe the bot to their
   * topic, so that answers need no mention; default: true. Needs `api`.
   */
  readonly followUps?: boolean;
  /**
   * Called with every delivery that a handler gets, and with every action of the bot: answers,
   * messages, edits, deletions, reactions, files and moves of topics. Not called for requests by
   * `ctx.client`.
   */
  readonly audit?: (record: AuditRecord) => void;
  readonly clock?: Clock;
}

/** A value that JSON can hold. A Date or a Map is not assignable: the compiler shows the text. */
export type JsonOnly<T> = T extends
  | Date
  | ReadonlyMap<never, never>
  | ReadonlySet<never>
  | bigint
  | symbol
  ? 'A session holds JSON: keep a date as a number or a text, and a Map as an object'
  : T extends (...args: never) => unknown
    ? 'A session holds JSON: no functions'
    : T extends object
      ? { [K in keyof T]: JsonOnly<T[K]> }
      : T;

/** The state that a bot keeps between messages. */
export interface SessionOptions<Session> {
  /**
   * Which messages share a session: those of a conversation, of a user, of a user in a conversation, of
   * a channel, all, or those for which a function of yours returns the same text.
   */
  readonly scope: Scope;
  /** Returns the value of a new session: JSON only, no Date, Map or class. */
  readonly initial: () => Session & JsonOnly<NoInfer<Session>>;
  /**
   * Checks, and may upgrade, a value that an older version of the bot has stored: a zod schema, for
   * example.
   */
  readonly schema?: StandardSchema<Session>;
  /** How long a session is kept after its last change, in milliseconds; default: forever. */
  readonly ttlMs?: number;
}

export interface SessionBotOptions<Session> extends BotOptions {
  readonly session: SessionOptions<Session>;
}

/** Options of a bot with several kinds of sessions at once, by names: `ctx.session` has one of each. */
export interface SessionsBotOptions<Sessions extends object> extends BotOptions {
  readonly sessions: { readonly [K in keyof Sessions]: SessionOptions<Sessions[K]> };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A description of each variable. */
const variables = {
  BOT_EMAIL: 'the e-mail address of the bot user, as the chat server shows it',
  BOT_TOKEN: 'the token of its outgoing webhook, or several, separated by commas',
  BOT_SITE: 'the address of the chat server, as https://chat.example.com',
  BOT_API_KEY: 'the API key of the bot user; with BOT_SITE, for replies by REST',
} as const;

/** The options that `botOptions` returns. */
export interface EnvironmentOptions extends BotOptions {
  readonly email: string;
  /** Undefined if BOT_TOKEN is not set: the event queue needs none. */
  readonly token: readonly string[] | undefined;
}

/**
 * The options of a bot from environment variables: BOT_EMAIL, for webhooks BOT_TOKEN, and for the REST
 * API BOT_SITE and BOT_API_KEY. Throws BotError `config_invalid` that names each missing or wrong one.
 */
export const botOptions = (environment: Environment = process.env): EnvironmentOptions =>
  optionsFrom(environment, []);

/** The same, for a place that also needs these variables. */
export function optionsFrom(
  environment: Environment,
  needed: readonly (keyof typeof variables)[],
): EnvironmentOptions {
  const { BOT_EMAIL: email, BOT_TOKEN: token, BOT_SITE: url, BOT_API_KEY: apiKey } = environment;
  const problems: string[] = [];
  const need = (name: keyof typeof variables) => problems.push(`${name}: ${variables[name]}`);
  if (!email?.trim()) need('BOT_EMAIL');
  for (const name of needed) if (!environment[name]?.trim()) need(name);
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
    token: token?.trim() ? token.split(',').map((one) => one.trim()) : undefined,
    ...(url && apiKey ? { api: { url, apiKey } } : {}),
  };
}
