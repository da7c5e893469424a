import { mkdir, readdir } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';

import { complain, Complaint, type Command } from '../command-line/command.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';
import { type NewProject, isTemplate, templates, writeProject } from './new/new-project.ts';
import { type SandboxBotUser, makeSandboxBot } from './new/sandbox-bot.ts';

export const newCommand: Command = {
  usage: '<directory> [--template echo|commands|dialog]',
  help: `Makes a project for a bot in an empty directory: a bot, a test that passes, and what they need.

  --template echo       says back what it is told (this one unless said otherwise)
  --template commands   answers commands, with arguments and help
  --template dialog     asks one question after the other

Where a sandbox runs ("npm start" in a clone of Bellhop), the bot gets a user on it and its keys in
.env, so that it answers as soon as it is started. BELLHOP_DATA_DIR names another sandbox.`,
  takesWords: true,
  options: { template: { type: 'string' } },
  async run({ words: [word, ...more], options: { template = 'echo' } }) {
    if (word === undefined || more.length > 0)
      throw new Complaint('Name one directory: "bellhop bot new my-bot".');
    if (!isTemplate(template))
      throw new Complaint(`There is no template "${template}": use ${templates.join(', ')}.`);
    const directory = resolve(word);
    await requireEmpty(directory, word);
    const project = { directory, name: nameOf(directory), template };
    await writeProject(project);
    const sandbox = await findSandbox();
    const user = sandbox && (await makeSandboxBot(sandbox, project).catch(unmade));
    console.log(advice(project, user));
    return 0;
  },
};

/** The project is there all the same. */
function unmade(error: unknown): undefined {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`The sandbox has made no user for the bot: ${reason}`);
}

async function requireEmpty(directory: string, word: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch(complain);
  if ((await readdir(directory)).length === 0) return;
  throw new Complaint(
    `${word} is not empty: name another directory, nothing there is overwritten.`,
  );
}

/** A name for packages and addresses. */
function nameOf(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 40) || 'bot';
}

function advice({ directory, template }: NewProject, user: SandboxBotUser | undefined): string {
  const near = relative('', directory) || '.';
  const at = near.startsWith('../..') ? directory : near;
  const lines = [
    `Made ${at} from the template "${template}".`,
    ...(user ? [`${user.full_name} is a user of ${user.site} now; its keys are in .env.`] : []),
    '',
    ...(at === '.' ? [] : [`  cd ${at}`]),
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
