import { ValidationError } from '@chat-adapter/shared';
import type { Logger } from 'chat';

/** The name of the adapter, and the first part of its thread IDs. */
export const NAME = 'bellhop';

/** How messages reach the bot: by an outgoing webhook, or by an event queue that the adapter polls. */
export type BellhopMode = 'webhook' | 'polling';

/** Each option defaults to an environment variable. */
export interface BellhopAdapterConfig {
  /** The address of the chat server, as `https://chat.example.com`; default: BOT_SITE. */
  readonly url?: string;
  /** The e-mail address of the bot user, as the server shows it; default: BOT_EMAIL. */
  readonly email?: string;
  /** The API key of the bot user; default: BOT_API_KEY. */
  readonly apiKey?: string;
  /**
   * The token of the bot's outgoing webhook, or several while one is being replaced; default: BOT_TOKEN,
   * where commas separate several. The webhook needs it, the event queue does not.
   */
  readonly token?: string | readonly string[];
  /** Default: BOT_MODE; without it `webhook` if there is a token, else `polling`. */
  readonly mode?: BellhopMode;
  /** The topic of messages that are posted to a channel and to no thread; default: the empty topic. */
  readonly channelTopic?: string;
  /** By what name `@name` in a text mentions the bot; default: the name of the bot user. */
  readonly userName?: string;
  /** The time limit of each call, in milliseconds; default: 30 s. A poll may take 90 s. */
  readonly timeoutMs?: number;
  /** Default: the logger of the Chat. */
  readonly logger?: Logger;
  readonly fetch?: typeof fetch;
}

/** Checked options. */
export interface CheckedConfig {
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
  readonly tokens: readonly string[];
  readonly mode: BellhopMode;
  readonly channelTopic: string;
  readonly userName: string | undefined;
  readonly timeoutMs: number;
  readonly logger: Logger | undefined;
  readonly fetch: typeof fetch | undefined;
}

/** Reads options and environment variables. Throws a ValidationError that names all that is missing or wrong. */
export function readConfig(
  config: BellhopAdapterConfig,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CheckedConfig {
  const problems: string[] = [];
  const need = (value: string | undefined, variable: string, what: string): string => {
    const text = (value ?? environment[variable] ?? '').trim();
    if (text === '') problems.push(`${what} (${variable}) is missing`);
    return text;
  };
  const url = need(config.url, 'BOT_SITE', '`url`, the address of the chat server');
  const email = need(config.email, 'BOT_EMAIL', '`email`, the address of the bot user');
  const apiKey = need(config.apiKey, 'BOT_API_KEY', '`apiKey`, the API key of the bot user');
  if (url !== '' && !/^https?:\/\/[^/\s]+/.test(url))
    problems.push('`url` (BOT_SITE) must be as https://chat.example.com');
  const tokens = tokensOf(config.token ?? environment['BOT_TOKEN']?.split(','));
  const mode =
    config.mode ?? environment['BOT_MODE'] ?? (tokens.length > 0 ? 'webhook' : 'polling');
  if (mode !== 'webhook' && mode !== 'polling')
    problems.push('`mode` (BOT_MODE) must be webhook or polling');
  else if (mode === 'webhook' && tokens.length === 0)
    problems.push('`token` (BOT_TOKEN), the token of the outgoing webhook, is missing');
  const { timeoutMs = 30_000, channelTopic = '' } = config;
  if (!(timeoutMs > 0)) problems.push('`timeoutMs` must be more than 0');
  if (problems.length > 0)
    throw new ValidationError(NAME, `The options are not complete: ${problems.join('; ')}.`);
  return {
    url: url.replace(/\/+$/, ''),
    email,
    apiKey,
    tokens,
    mode: mode as BellhopMode,
    channelTopic,
    userName: config.userName,
    timeoutMs,
    logger: config.logger,
    fetch: config.fetch,
  };
}

const tokensOf = (given: string | readonly string[] | undefined): readonly string[] =>
  (typeof given === 'string' ? [given] : (given ?? [])).map((one) => one.trim()).filter(Boolean);
