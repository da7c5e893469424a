import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { environmentBeside, UserError } from '@bellhop/bot-cli/command-line';
import { requireSandbox } from '@bellhop/bot-cli/sandbox';

/** The address of a chat server, and the login of a bot there. */
export interface BotLogin {
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
}

export const botLoginHelp = `The login of the bot, the first of these that there is:
  --login FILE     the .env of a project of "bellhop bot new", or a zuliprc, which other servers of
                   the protocol offer for each bot
  BOT_SITE         in the environment or the .env here: the address, such as https://chat.example.com,
  BOT_EMAIL        the bot's e-mail address
  BOT_API_KEY      and its API key
  the echo bot of a running sandbox`;

type Entries = Readonly<Record<string, string | undefined>>;

const variables = { url: 'BOT_SITE', email: 'BOT_EMAIL', apiKey: 'BOT_API_KEY' };
const ofZuliprc = { url: 'site', email: 'email', apiKey: 'key' };

/** Throws a UserError if there is no login, or an incomplete one. */
export async function botLogin(file: string | undefined): Promise<BotLogin> {
  if (file !== undefined) return loginInFile(file);
  const environment = environmentBeside(resolve('.env'), process.env);
  if (Object.values(variables).some((name) => environment[name]))
    return loginOf(environment, variables, 'The environment');
  const { base_url: url, bots } = await requireSandbox(`\n${botLoginHelp}`);
  const [bot] = bots;
  if (bot) return { url, email: bot.email, apiKey: bot.api_key };
  throw new UserError('The sandbox has no bot: remove its data directory and start it again.');
}

async function loginInFile(file: string): Promise<BotLogin> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`${file} cannot be read: ${error.message}`);
  });
  return /^\s*\[api\]/m.test(text)
    ? loginOf(entriesOfIni(text), ofZuliprc, file)
    : loginOf(parseEnv(text), variables, file);
}

/** The entries of an INI file: `name = value` or `name: value`. A zuliprc has one section, `[api]`. */
function entriesOfIni(text: string): Entries {
  const lines = text.matchAll(/^[ \t]*(\w+)[ \t]*[=:][ \t]*(.*?)[ \t\r]*$/gm);
  return Object.fromEntries(Array.from(lines, ([, name = '', value]) => [name, value]));
}

function loginOf(entries: Entries, names: typeof variables, source: string): BotLogin {
  const missing = Object.values(names).filter((name) => !entries[name]);
  if (missing.length > 0)
    throw new UserError(`${source} has no ${missing.join(', no ')}: a login needs all three.`);
  const { [names.url]: url = '', [names.email]: email = '', [names.apiKey]: apiKey = '' } = entries;
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new UserError(
      `${names.url} of ${source} is ${JSON.stringify(url)}: write an address such as https://chat.example.com.`,
    );
  return { url, email, apiKey };
}
