import { mkdir, readdir } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';

import { defineCommand } from '../command-line/command.ts';
import { proposeFiles } from '../command-line/file-completion.ts';
import { argument, choiceFlag } from '../command-line/flags.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { locateSandbox } from '../sandbox-file/find-sandbox.ts';
import { type NewProject, templates, writeProject } from './new/new-project.ts';
import { createSandboxBot, type SandboxBotUser } from './new/sandbox-bot.ts';

export const newBot = defineCommand({
  description: `Writes a bot, a test that passes and what they need into an empty directory. The templates:

  echo       repeats each message
  commands   answers commands, with arguments and help
  dialog     asks one question after the other
  agent      lets a language model answer, in threads

If a sandbox runs ("npm start" in a clone of Bellhop), the bot gets a user on it and its keys in .env,
so that it answers as soon as it is started. BELLHOP_DATA_DIR names another sandbox.`,
  flags: { template: choiceFlag('What the bot does at first', templates, 'echo') },
  args: [
    {
      ...argument('directory', 'Where to write the project; made if it is missing'),
      proposeCompletions: proposeFiles(),
    },
  ],
  async run({ template }, given) {
    const directory = resolve(given);
    await requireEmpty(directory, given);
    const project = { directory, name: packageName(directory), template };
    await writeProject(project);
    const sandbox = await locateSandbox();
    const user = sandbox && (await createSandboxBot(sandbox, project).catch(warnWithoutUser));
    console.log(nextSteps(project, user));
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

function nextSteps({ directory, template }: NewProject, user: SandboxBotUser | undefined): string {
  const path = relative('', directory) || '.';
  const shown = path.startsWith('../..') ? directory : path;
  const lines = [
    `Made ${shown} from the template "${template}".`,
    ...(user ? [`${user.full_name} is a user of ${user.site} now; its keys are in .env.`] : []),
    '',
    ...(shown === '.' ? [] : [`  cd ${shown}`]),
    '  npm install',
    '  npm test',
    '  npm run chat     # talk to it here, without a server',
  ];
  if (user)
    lines.push(
      '  npm start        # and in a second shell, in the same directory:',
      `  npx bellhop try message --to ${user.email} hello`,
    );
  else
    lines.push(
      '  cp .env.example .env, and fill it in: then',
      '  npm start        # answers webhooks, or',
      '  npm run dev      # answers through the event queue, and reloads when you save',
    );
  return lines.join('\n');
}
