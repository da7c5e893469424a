import { BotError } from '../bot-error.ts';
import type { BotOptions } from '../bot-options.ts';
import type { AnyBot } from '../internals.ts';
import { serve, type ServeOptions, type Serving } from './serve.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables a bot is configured by, and where their values are found. */
const variables = {
  BOT_EMAIL: 'the e-mail address of the bot user, as the chat server shows it',
  BOT_TOKEN: 'the token of its outgoing webhook, or several, separated by commas',
  BOT_SITE: 'the address of the chat server, as https://chat.example.com',
  BOT_API_KEY: 'the API key of the bot user; with BOT_SITE, for replies by REST',
} as const;

interface FoundOptions extends BotOptions {
  readonly email: string;
  readonly token: readonly string[];
}

/**
 * The options of a bot from environment variables: BOT_EMAIL and BOT_TOKEN, and for speaking by REST
 * BOT_SITE and BOT_API_KEY. Throws BotError `config_invalid` with everything that is missing or wrong.
 */
export function botOptions(environment: Environment = process.env): FoundOptions {
  const { BOT_EMAIL: email, BOT_TOKEN: token, BOT_SITE: url, BOT_API_KEY: apiKey } = environment;
  const wrong: string[] = [];
  const need = (name: keyof typeof variables) => wrong.push(`${name}: ${variables[name]}`);
  if (!email?.trim()) need('BOT_EMAIL');
  if (!token?.trim()) need('BOT_TOKEN');
  if (apiKey && !url) need('BOT_SITE');
  if (url && !apiKey) need('BOT_API_KEY');
  if (url && !/^https?:\/\/[^/]/.test(url)) wrong.push(`BOT_SITE: ${url} is no address`);
  if (wrong.length > 0)
    throw new BotError(
      'config_invalid',
      `These variables are missing or wrong.\n${wrong.join('\n')}`,
    );
  return {
    email: email?.trim() ?? '',
    token: (token ?? '').split(',').map((one) => one.trim()),
    ...(url && apiKey ? { api: { url, apiKey } } : {}),
  };
}

/**
 * Serves one bot as its environment says, on PORT (8080) and HOST (127.0.0.1), and prints where. What
 * is wrong with the environment is printed and ends the process with code 1.
 */
export async function run(
  makeBot: (options: BotOptions) => AnyBot,
  options: Partial<ServeOptions> = {},
): Promise<Serving | undefined> {
  const { PORT, HOST } = process.env;
  try {
    const bot = makeBot(botOptions());
    const where = { port: Number(PORT ?? 8080), ...(HOST ? { host: HOST } : {}) };
    const serving = await serve([bot], { ...where, ...options });
    process.stdout.write(`${bot.email} listens on ${serving.url}\n`);
    return serving;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return undefined;
  }
}
