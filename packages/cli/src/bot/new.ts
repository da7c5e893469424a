import { mkdir, readdir } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';

import {
  argument,
  choiceFlag,
  defineCommand,
  proposeFiles,
  parseHttpUrl,
  rethrowAsUserError,
  textFlag,
  UsageError,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { knownLogins, loginOfEnvironment } from '@bellhop/bot-cli/deliveries';
import { locateSandbox } from '@bellhop/bot-cli/sandbox';

import {
  type BotUser,
  createBotUser,
  createQueueBotUser,
  findBotUser,
  writeKeys,
} from './new/bot-user.ts';
import { type NewProject, templates, writeProject } from './new/new-project.ts';

export const newBot = defineCommand({
  description: `Writes a bot, a test that passes and what they need into an empty directory. The templates:

  echo       repeats each message
  commands   answers commands, with arguments and help
  dialog     asks one question after the other
  agent      lets a language model answer, in threads

If a sandbox runs ("npm start" in a clone of Bellhop), the bot gets a user on it and its keys in .env,
so that it answers as soon as it is started. BELLHOP_DATA_DIR names another sandbox.

On another chat server the bot gets a user, owned by you, if you set:
  BELLHOP_SITE      the address, such as https://chat.example.com
  BELLHOP_EMAIL     your e-mail address
  BELLHOP_API_KEY   your API key
Its messages come through the event queue, which needs no address: direct messages, and mentions in the
channels that it is subscribed to.

--bot takes a bot that has been made before, in the console for example, and puts its keys into .env.
An outgoing webhook is started as one.`,
  flags: {
    template: choiceFlag('What the bot does at first', templates, 'echo'),
    bot: textFlag('A bot that exists: its name, e-mail address or ID', 'bot'),
    server: valueFlag(
      'The chat server, to put keys into .env yourself: no user is made on the sandbox',
      'url',
      parseHttpUrl,
    ),
  },
  args: [
    {
      ...argument('directory', 'Where to write the project; made if it is missing'),
      proposeCompletions: proposeFiles(),
    },
  ],
  async run({ template, bot, server }, given) {
    if (bot !== undefined && server !== undefined)
      throw new UsageError('Give --bot or --server: a bot is looked for where you are logged in.');
    const directory = resolve(given);
    await requireEmpty(directory, given);
    const sandbox = server === undefined ? await locateSandbox() : undefined;
    const login = server === undefined ? loginOfEnvironment() : undefined;
    const name = packageName(directory);
    const found =
      bot === undefined
        ? login && (await createQueueBotUser(login, name).catch(rethrowAsUserError))
        : await knownLogins()
            .then((logins) => findBotUser(bot, logins))
            .catch(rethrowAsUserError);
    const project = {
      directory,
      name,
      template,
      site: server ?? '',
      listens: found === undefined || found.webhook !== undefined,
    };
    await writeProject(project);
    const user =
      found ?? (sandbox && (await createBotUser(sandbox, project).catch(warnWithoutUser)));
    if (user) await writeKeys(directory, user, sandbox);
    const isOnSandbox = user?.site === sandbox?.file.base_url;
    const place = login ? 'with the same variables' : isOnSandbox ? 'in the same directory' : '';
    console.log(nextSteps(project, { user, place }));
  },
});

/** The project is useful without a bot user, too. */
function warnWithoutUser(error: unknown): undefined {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`The sandbox has made no user for the bot: ${reason}`);
}

async function requireEmpty(directory: string, given: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UserError(`${given} is a file: name another directory.`);
    return rethrowAsUserError(error);
  });
  if ((await readdir(directory)).length === 0) return;
  throw new UserError(`${given} is not empty: name another directory, nothing is overwritten.`);
}

/** A directory's name as the name of a package and of an e-mail address. */
function packageName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 40) || 'bot';
}

/** What to type next. `place`: where the bot can be tried from; '' if this command knows of none. */
function nextSteps(
  { directory, template, listens }: NewProject,
  { user, place }: { readonly user: BotUser | undefined; readonly place: string },
): string {
  const path = relative('', directory) || '.';
  const shown = path.startsWith('../..') ? directory : path;
  const lines = [
    `Made ${shown} from the template "${template}".`,
    ...(user ? [`${user.full_name} is a user of ${user.site}; its keys are in .env.`] : []),
    '',
    ...(shown === '.' ? [] : [`  cd ${shown}`]),
    '  npm install',
    '  npm test',
    '  npm run chat     # talk to it here, without a server',
  ];
  if (user)
    lines.push(
      listens
        ? '  npm start        # answers webhooks at its payload URL, or'
        : '  npm start        # answers through the event queue, or',
      '  npm run dev      # answers through the event queue, and reloads when you save',
      ...(place
        ? [
            '',
            `While it runs, in a second shell and ${place}:`,
            '',
            `  npx bellhop try message --to ${user.email} hello`,
          ]
        : []),
    );
  else
    lines.push(
      '  cp .env.example .env, and fill it in: then',
      '  npm start        # answers webhooks, or',
      '  npm run dev      # answers through the event queue, and reloads when you save',
    );
  return lines.join('\n');
}
