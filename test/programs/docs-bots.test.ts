import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { roles } from '@bellhop/protocol';
import { startTestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { behind, block, commandsOf, edited, endsOwnProcesses } from '../docs/commands-of.ts';
import { examplesIn, pages } from '../docs/examples-in.ts';
import { root } from '../support/source-files.ts';
import { temporarySandbox, type TemporarySandbox } from '../support/temporary-sandbox.ts';

let sandbox: TemporarySandbox;
let home: string;
beforeAll(async () => {
  sandbox = await temporarySandbox();
  home = await mkdtemp(join(tmpdir(), 'bots-docs-'));
  await mkdir(join(home, 'logs'));
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** Types commands with bash, in the clone. Returns what they print. */
async function type(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const lines = [endsOwnProcesses, behind, script].join('\n');
  const typed = promisify(execFile)('bash', ['-euc', lines], {
    cwd: root,
    timeout: 300_000,
    maxBuffer: 16 * 1_048_576,
    env: {
      // The way to the registry of npm is often in the environment. What vitest sets there is not for projects.
      ...Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|BELLHOP_)/.test(name)),
      ),
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      LOGS: join(home, 'logs'),
      // Packages from the cache of npm where it has them.
      npm_config_prefer_offline: 'true',
      BELLHOP_DATA_DIR: sandbox.dataDir,
      ...env,
    },
  });
  return typed.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error([error.message, error.stdout, error.stderr].join('\n'));
    },
  );
}

const listens = (port: number) => `PORT=${port} behind 'listens on' npm start`;
/** In a project, its .env leads to the sandbox. */
const enter = (folder: string) => `cd '${home}/${folder}'; unset BELLHOP_DATA_DIR`;
const loginOfMax = () => {
  const { users, base_url } = sandbox.sandbox.file;
  const max = users.find(({ role }) => role === roles.member);
  return `export SITE=${base_url} EMAIL=${max?.email} KEY=${max?.api_key}`;
};

/** Moves a bot to a port of the test, as the page on hosting says: the one of its .env may be taken. */
function moved(bot: string, port: number, path = '/'): string {
  const address = `${bot}-bot@localhost`;
  const user = `BOT=$(curl -s -u "$EMAIL:$KEY" "$SITE/api/v1/users/${address}")`;
  return block('docs/bots/hosting.md', 'export SITE', [
    [/^export SITE=.*/, loginOfMax()],
    [/^curl .*hello-bot@localhost.*9$/m, user],
    [/bots\/9/, 'bots/$(sed "s/.*user_id.:\\([0-9]*\\).*/\\1/" <<< "$BOT")'],
    [/8080\/bots/, `${port}${path}`],
  ]);
}

test('the commands of README.md and docs/bots.md lead from a sandbox to a bot that answers', async () => {
  const [mine = 0, hello = 0] = await freePorts(2);
  const printed = await type(
    [
      block('README.md', 'npx bellhop try message', [
        [/npx bellhop device watch/, 'behind Watching npx bellhop device watch'],
      ]),
      'finish',
      block('README.md', 'npx bellhop bot new', [
        [/\.\.\/my-bot/, `'${home}/my-bot'`],
        [/cd \.\.\/my-bot/, `${moved('my-bot', mine)}\n${enter('my-bot')}`],
        [/^npm start/m, listens(mine)],
      ]),
      `cd '${root}'; export BELLHOP_DATA_DIR='${sandbox.dataDir}'`,
      block('docs/bots.md', 'npm start', [
        [/^npm start .*\n/, ''],
        [/\.\.\/hello/, `'${home}/hello'`],
        [/cd \.\.\/hello/, `${moved('hello', hello)}\n${enter('hello')}`],
        [/npm run chat/, "npm run chat <<< 'roll 1 --sides 1'"],
        [/^npm start/m, listens(hello)],
      ]),
    ].join('\n'),
  );
  expect(printed).toContain('Max Member: Hello, bot\nEcho Bot: Hello, bot\n');
  expect(printed).toMatch(/^Browser \(webpush\) received /m);
  expect(printed).toContain('Watching Android phone, Browser, iPhone, phone-1.');
  expect(printed).toContain('Bot: You rolled 1.\n');
  expect(printed).toContain('Max Member: hi\nHello: Hello, Max Member!\n');
  expect(printed).toMatch(/ Hello +direct_message +delivered .* replied /);
}, 320_000);

test('the commands of the pages below docs/bots work in the project of docs/bots.md', async () => {
  const [port = 0, fake = 0] = await freePorts(2);
  const { BOT_EMAIL = '', BOT_TOKEN = '' } = parseEnv(
    await readFile(join(home, 'hello/.env'), 'utf8'),
  );
  const url = `http://127.0.0.1:${port}/`;
  const examples = ['docs/bots/hosting.md', 'docs/bots/testing.md'].flatMap((page) =>
    examplesIn(page),
  );
  for (const { file, module } of examples)
    if (/\/(?:app|guess|guess\.test|fake-server\.test)\.ts$/.test(file))
      await writeFile(join(home, 'hello', basename(file)), module);
  const printed = await type(
    [
      block('docs/bots/testing.md', 'node scripts/pack', [
        [/\.\.\/hello/, `'${home}/hello'`],
        [/cd \.\.\/hello/, enter('hello')],
      ]),
      'npm test',
      `cd '${root}'`,
      block('docs/bots/testing.md', 'npx bellhop bot fake-server', [
        [/^npx/, 'behind \'"bot"\' npx'],
        [/8080/, String(fake)],
      ]),
      'finish',
      `cd '${home}/hello'`,
      moved('hello', port),
      block('docs/bots/testing.md', 'npx bellhop bot dev', [
        [/^npx/, `PORT=${port} behind 'is loaded' npx`],
        [/#.*/, `\nnpx bellhop try message --to ${BOT_EMAIL} ping\nfinish`],
        [/messages\/\d+\.json/, 'messages/*.json'],
      ]),
      listens(port),
      block('docs/bots/testing.md', 'npx bellhop conform bot', [
        [/https:\S+/, url],
        [/hello-bot@example\.com/, BOT_EMAIL],
        [/--token \.\.\./, `--token ${BOT_TOKEN}`],
      ]),
      block('docs/bots/operations.md', 'npx bellhop bot deliveries', [
        [
          /DELIVERY/,
          "$(npx bellhop bot deliveries Hello | tail -1 | grep --only-matching '[^ ]*$')",
        ],
      ]),
      'finish',
      block('docs/bots/hosting.md', 'npm install express'),
      `export PORT=${port}`,
      edited(block('docs/bots/hosting.md', 'node --env-file'), [[/$/m, ' &']]),
      `until curl --silent --output /dev/null ${url}; do sleep 0.2; done`,
      moved('hello', port, '/bots'),
      `npx bellhop try message --to ${BOT_EMAIL} hello`,
    ].join('\n'),
  );
  expect(printed).toMatch(/ fake-server\.test\.ts /);
  expect(printed).toMatch(/^\{"url":"http:\S+"token":/m);
  expect(printed).toContain('Max Member: ping\nHello: pong\n');
  expect(printed).toMatch(/^answer: \{"content":"pong"\}$/m);
  expect(printed).toMatch(/^49 checks: .* 0 faults\./m);
  expect(printed).toContain('None of the newest deliveries went wrong.\n');
  expect(printed).toMatch(/ Hello +replay +delivered .* replied /);
  expect(printed).toContain('Max Member: hello\nHello: hello\n');
}, 320_000);

test('the commands of examples/README.md start an example, and post what a program prints', async () => {
  const [port = 0] = await freePorts(1);
  const max = sandbox.as(roles.member);
  const payload_url = `http://127.0.0.1:${port}/`;
  const made = { full_name: 'Example', short_name: 'example', bot_type: 3, payload_url } as const;
  const { user_id: bot_id, api_key } = await max.bots.create(made);
  const { token } = await max.bots.regenerateToken({ bot_id });
  await max.subscriptions.add({ subscriptions: [{ name: 'ops' }] });
  const site = sandbox.sandbox.file.base_url;
  const printed = await type(
    [
      block('examples/README.md', 'BOT_EMAIL', [
        [
          /^BOT_EMAIL=\S+ BOT_TOKEN=\S+/,
          `export BOT_EMAIL=example-bot@localhost BOT_TOKEN=${token}\n`,
        ],
        [/npx/, `PORT=${port} behind 'listens on' npx`],
      ]),
      'npx bellhop try message --to Example hello',
      `export BOT_SITE=${site} BOT_API_KEY=${api_key}`,
      'cd examples/notify-bot',
      block('examples/README.md', 'make', [[/^make/, 'echo built']]),
    ].join('\n'),
  );
  expect(printed).toContain('Max Member: hello\nExample: hello\n');
  const { messages } = await max.messages.fetch({ anchor: 'newest', num_before: 1 });
  expect(messages[0]).toMatchObject({
    sender_id: bot_id,
    subject: 'builds',
    content: '<p>built</p>',
  });
});

test('the commands of docs/bots.md for another server make a bot on a fresh one, and it answers', async () => {
  await using chat = await startTestChat();
  const { email, api_key } = chat.people.hamlet;
  const login = `BELLHOP_SITE=${chat.url} BELLHOP_EMAIL=${email} BELLHOP_API_KEY=${api_key}`;
  const printed = await type(
    block('docs/bots.md', 'export BELLHOP_SITE', [
      [/BELLHOP_SITE=.*/, login],
      [/\.\.\/hello/, `'${home}/far/hello'`],
      [/cd \.\.\/hello/, enter('far/hello')],
      [/^npm start/m, "behind ' runs' npm start"],
      [/chat\.example\.com/, 'chat.test'],
    ]),
  );
  expect(printed).toContain('Hamlet: hi\nHello: hi\n');
}, 320_000);

test('npm start prints commands that work in the clone', async () => {
  const own = { BELLHOP_DATA_DIR: join(home, 'own'), BELLHOP_PORT: '0', BELLHOP_STOP_DELAY: '0' };
  const start = block('README.md', 'npm ci', [
    // The clone of this test is installed.
    [/^npm ci\n/, ''],
    [/^npm start/, "behind 'Ctrl-C stops everything' npm start"],
  ]);
  // What it prints is typed as it is: lines of a command, spaces and what the command does.
  const typeWhatIsShown = String.raw`
    SHOWN=$(sed --quiet 's/^  \(npx bellhop .*[a-z]\)   *[a-z].*/\1/p' "$LOG")
    while read -r line; do echo "typed: $line"; bash -euc "$line" < /dev/null; done <<< "$SHOWN"`;
  const printed = await type(`${start}\n${typeWhatIsShown}`, own);
  expect(printed.match(/^typed: .*/gm)).toEqual([
    'typed: npx bellhop try message',
    'typed: npx bellhop bot deliveries',
    'typed: npx bellhop try push',
    'typed: npx bellhop device add',
  ]);
  expect(printed).toContain('Max Member: Hello, bot\nEcho Bot: Hello, bot\n');
}, 320_000);

test.each(pages().filter((page) => page.startsWith('packages/')))(
  'the commands of %s work in an empty folder',
  async (page) => {
    const folder = await mkdtemp(join(home, 'package-'));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const commands = commandsOf(page)
      .replaceAll(/\.\.\/my-(?:project|bot)/g, (shown) =>
        // bot new makes the folder.
        page === 'packages/bot/README.md' || page === 'packages/cli/README.md'
          ? `'${folder}/${basename(shown)}'`
          : `'${folder}'`,
      )
      .replace(/^npx bellhop sandbox.*/m, '')
      .replace('npx bellhop bot chat', "npx bellhop bot chat <<< 'hello'");
    const inProject = page === 'packages/bot-cli/README.md' ? `${enter('hello')}\n` : '';
    await type(inProject + commands);
  },
  320_000,
);
