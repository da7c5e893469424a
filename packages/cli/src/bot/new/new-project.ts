import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { dockerfile, dockerignore, workflow } from './deployment-files.ts';
import { type FrameworkPackages, frameworkPackages } from './framework-packages.ts';
import { hasSuitableNode, oldestNode } from './suitable-node.ts';
import { allowScripts, toolVersions } from './tool-versions.ts';

export const templates = ['echo', 'commands', 'dialog', 'agent'] as const;
export type Template = (typeof templates)[number];

export interface NewProject {
  readonly directory: string;
  readonly name: string;
  readonly template: Template;
  /** The address of the chat server, for `.env.example`; '' if it is not known. */
  readonly site: string;
  /** Whether `npm start` listens for webhooks; else it connects to the event queue. */
  readonly listens: boolean;
}

/** Writes the files of a bot's project into a directory. */
export async function writeProject(project: NewProject): Promise<void> {
  const { directory, template, site, listens } = project;
  const write = (file: string, text: string) => writeFile(join(directory, file), text);
  const source = (file: string) =>
    fileURLToPath(new URL(`./templates/${template}/${file}`, import.meta.url));
  await copyFile(source('bot.test.ts'), join(directory, 'bot.test.ts'));
  const bot = await readFile(source('bot.ts'), 'utf8');
  await write('bot.ts', listens ? bot : onQueue(bot));
  const framework = await frameworkPackages(directory);
  await write('package.json', json(packageJson(project, framework, await hasSuitableNode())));
  await write('tsconfig.json', json(tsconfig));
  await write('.env.example', envExample(site));
  await write('.gitignore', 'node_modules/\n.env\n.bellhop*/\n');
  await write('README.md', readme(project));
  await write('Dockerfile', dockerfile(framework.overrides !== undefined));
  await write('.dockerignore', dockerignore);
  await mkdir(join(directory, '.github/workflows'), { recursive: true });
  await write('.github/workflows/test.yml', workflow);
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function packageJson(
  { name, template }: NewProject,
  framework: FrameworkPackages,
  hasNode: boolean,
) {
  const { bot, cli, overrides } = framework;
  const { zod, node, ...tools } = toolVersions;
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      // Fails on an old Node, with advice.
      prestart: 'bellhop-check-node',
      start: 'node --env-file-if-exists=.env bot.ts',
      dev: 'bellhop bot dev',
      chat: 'bellhop bot chat',
      test: 'vitest run',
      types: 'tsc',
    },
    // The types of the REST API are made of zod; at run time only schemas of your own need it.
    dependencies: { '@bellhop/bot': bot, ...(template === 'dialog' ? { zod } : {}) },
    devDependencies: {
      '@bellhop/bot-cli': cli,
      // 190 MB, for a machine that has none.
      ...(hasNode ? {} : { node }),
      ...tools,
      ...(template === 'dialog' ? {} : { zod }),
    },
    ...(overrides ? { overrides } : {}),
    engines: { node: `>=${oldestNode.join('.')}` },
    allowScripts,
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2024', 'ESNext.Disposable'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['**/*.ts'],
};

/** The source of a bot that is started by a webhook, started on the event queue. */
const onQueue = (source: string) =>
  source
    .replace('start(makeBot)', "start(makeBot, { transport: 'queue' })")
    .replace('start(makeBot, { store', "start(makeBot, { transport: 'queue', store");

const envExample = (
  site: string,
) => `# From the settings of the bot user on the chat server: its e-mail address, its API key, and the token
# of its outgoing webhook.
BOT_EMAIL=
BOT_API_KEY=
BOT_TOKEN=
# The address of the chat server: https://chat.example.com
BOT_SITE=${site}
# Where the bot listens for webhooks. Set this address as its payload URL on the chat server.
# PORT=8080
# HOST=127.0.0.1
`;

const readme = ({ name, listens }: NewProject) => `# ${name}

- Test it: \`npm install\`, then \`npm test\`; \`npm run types\` checks the types.
- Talk to it: \`npm run chat\` needs no server.
- Run it: \`npm start\`. The bot answers ${listens ? 'webhooks' : 'through the event queue'}. It reads \`.env\`; if there is none, copy \`.env.example\` to it and fill it in.
- Run it in a container, after \`npm install\`: \`docker build -t ${name} .\`, then \`docker run --env-file .env --env PORT=8080 --publish 8080:8080 ${name}\`. If \`.env\` has addresses of this machine, as on the sandbox: \`docker run --env-file .env --env HOST=127.0.0.1 --network host ${name}\`.
- Change it: \`npm run dev\` needs no public address and reloads \`bot.ts\` when you save.
`;
