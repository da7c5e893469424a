import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import type { CommandGroup } from '@bellhop/bot-cli/command-line';
import { afterEach, expect, test, vi } from 'vitest';

import { commands } from './commands.ts';
import { runBellhop, stubVariables } from './run-bellhop.fixture.ts';
import { newSecrets } from './secrets/new-secrets.ts';

afterEach(() => vi.unstubAllEnvs());

/** The words of every command, and one line about it. */
const listed = ({ commands: entries }: CommandGroup, path: readonly string[] = []): Listed[] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    'commands' in entry
      ? listed(entry, [...path, name])
      : [{ words: [...path, name].join(' '), brief: entry.brief }],
  );
interface Listed {
  readonly words: string;
  readonly brief: string;
}

test.each([[], ['help'], ['--help'], ['-h']])(
  'bellhop %s lists the groups and commands',
  async (...args) => {
    const { code, out, err } = await runBellhop(...args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('"bellhop --version" prints the version');
    for (const name of [
      'sandbox',
      'try',
      'server',
      'bouncer',
      'bot',
      'device',
      'trace',
      'conform',
      'secrets',
    ])
      expect(out).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    expect(out).not.toMatch(/^ {2}complete /m);
    const lines = out.trimEnd().split('\n');
    // A screen, with the prompt below.
    expect(lines.length).toBeLessThan(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  },
);

test('bellhop --version prints the version', async () => {
  const { code, out, err } = await runBellhop('--version');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([['bot'], ['bot', '--help'], ['help', 'bot']])(
  'bellhop %s %s lists the commands of the group alone',
  async (...args) => {
    const { code, out } = await runBellhop(...args);
    expect(code).toBe(0);
    for (const name of ['new', 'dev', 'chat', 'receive', 'replay', 'fake-server'])
      expect(out).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    expect(out).not.toContain('sandbox');
  },
);

test.each(listed(commands))('the help of bellhop $words shows usage and purpose', async (entry) => {
  const words = entry.words.split(' ');
  const { code, out, err } = await runBellhop(...words, '--help');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage\n  bellhop ${entry.words}\\b`));
  expect(out).toContain(`\n${entry.brief}.\n`);
  expect(await runBellhop('help', ...words)).toEqual({ code, out, err });
});

test('the help of the services names every variable', async () => {
  const server = await runBellhop('server', 'run', '--help');
  for (const name of ['DATABASE_URL', 'BELLHOP_SECRET', 'BELLHOP_BOUNCER_ORG_KEY'])
    expect(server.out).toContain(name);
  const bouncer = await runBellhop('bouncer', 'run', '--help');
  for (const name of ['BELLHOP_BOUNCER_DATABASE_URL', 'BELLHOP_BOUNCER_KEYS_FILE'])
    expect(bouncer.out).toContain(name);
});

test.each([
  ['nope', 'There is no command "bellhop nope".', 'bellhop'],
  ['snadbox', 'There is no command "bellhop snadbox": did you mean `sandbox`?', 'bellhop'],
  ['help nope', 'There is no command "bellhop nope".', 'bellhop'],
  ['bouncer trace', 'There is no command "bellhop bouncer trace".', 'bellhop bouncer'],
  ['bot nwe', 'There is no command "bellhop bot nwe": did you mean `new`?', 'bellhop bot'],
  ['sandbox --nope', 'There is no option --nope.', 'bellhop sandbox'],
  [
    'bot new x --templte echo',
    'There is no option --templte: did you mean --template?',
    'bellhop bot new',
  ],
  ['server -x', 'There is no option -x.', 'bellhop server'],
  ['sandbox extra', 'The argument "extra" is one too many.', 'bellhop sandbox'],
  ['bot receive', 'The file is missing.', 'bellhop bot receive'],
  ['server --owner', '--owner needs a value.', 'bellhop server'],
  [
    'conform bouncer http://127.0.0.1:4602',
    'The option --bouncer-key is missing.',
    'bellhop conform bouncer',
  ],
  [
    'conform bouncer http://127.0.0.1:4602 --bouncer-key',
    '--bouncer-key needs a value.',
    'bellhop conform bouncer',
  ],
  ['server --realm a --realm b', '--realm is given twice.', 'bellhop server'],
  [
    'server --owner me',
    '"me" is no owner: write an e-mail address, such as ann@example.com.',
    'bellhop server',
  ],
  ...['device add', 'conform server', 'conform bouncer http://127.0.0.1:4602'].map((words) => [
    `${words} --bouncer-key abc`,
    '"abc" is no bouncer-key: write the public key of the bouncer, 44 characters of base64.',
    `bellhop ${words.replace(/ http.*/, '')}`,
  ]),
  [
    'bot replay 12',
    '"12" is no id: write the id of a delivery, as "bellhop bot deliveries" shows it.',
    'bellhop bot replay',
  ],
  [
    'bot new x --template y',
    '"y" is no template: write one of echo, commands, dialog, agent.',
    'bellhop bot new',
  ],
])('bellhop %s is a usage error of one line', async (line, message, command) => {
  const { code, out, err } = await runBellhop(...line.split(' '));
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^[^\n]*\n$/);
  expect(err.startsWith(`${message} "${command} --help" `)).toBe(true);
});

test('words behind -- are arguments, also if they look like options', async () => {
  const { err } = await runBellhop('bot', 'chat', '--', '--help');
  expect(err).toMatch(/^There is no --help here/);
});

test('bellhop server names every missing variable', async () => {
  vi.stubEnv('BELLHOP_SECRET', '');
  vi.stubEnv('BELLHOP_EXTERNAL_URL', undefined);
  vi.stubEnv('BELLHOP_BOUNCER_URL', 'http://127.0.0.1:4602');
  const { code, err } = await runBellhop('server');
  expect(code).toBe(1);
  expect(err.match(/^ {2}BELLHOP_\w+/gm)).toEqual([
    '  BELLHOP_SECRET',
    '  BELLHOP_EXTERNAL_URL',
    '  BELLHOP_BOUNCER_ORG_ID',
    '  BELLHOP_BOUNCER_ORG_KEY',
  ]);
});

test('bellhop bouncer names every missing variable', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_KEYS', undefined);
  vi.stubEnv('BELLHOP_BOUNCER_APNS_KEY', 'no key');
  const { code, err } = await runBellhop('bouncer');
  expect(code).toBe(1);
  expect(err).toContain('BELLHOP_BOUNCER_KEYS is not set');
  expect(err).toContain('BELLHOP_BOUNCER_APNS_TEAM_ID is not set');
});

test.each([
  ['bouncer', 'BELLHOP_BOUNCER_APN_KEY', 'BELLHOP_BOUNCER_APNS_KEY'],
  ['bouncer', 'BELLHOP_BOUNCER_KEY_FILE', 'BELLHOP_BOUNCER_KEYS_FILE'],
  ['server', 'BELLHOP_WEBHOOKS_ALLOW', 'BELLHOP_WEBHOOK_ALLOW'],
  ['server', 'BELLHOP_EXTERNALURL', 'BELLHOP_EXTERNAL_URL'],
])(
  'bellhop %s names the misspelt variable %s and the one that is meant',
  async (command, misspelt, meant) => {
    vi.stubEnv(misspelt, 'x');
    const { code, err } = await runBellhop(command);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^ *${misspelt} is unknown: is ${meant} meant\\?$`, 'm'));
  },
);

const bouncerOn = (url: string) => ({
  ...(parseEnv(newSecrets('keys')) as Record<string, string>),
  BELLHOP_BOUNCER_DATABASE_URL: url,
  BELLHOP_LOG_LEVEL: 'silent',
});

test.each<[string, RegExp, Record<string, string>?]>([
  [
    'try message',
    /^There is no running sandbox in .*: start one with "npm start".* BELLHOP_DATA_DIR/,
  ],
  ['try push', /^There is no running sandbox/],
  ['device add', /^There is no running sandbox/],
  ['device watch', /^There are no phones yet: "bellhop device add" adds one.* BELLHOP_DATA_DIR/],
  ['device rotate pixel', /^There are no phones yet/],
  ['device add --server http://127.0.0.1:9', /^With --server give also --email/],
  ['sandbox', /^BELLHOP_PORT must be a number/, { BELLHOP_PORT: 'http' }],
  ['sandbox', /^BELLHOP_LOG_LEVEL is "loud": use one of trace, /, { BELLHOP_LOG_LEVEL: 'loud' }],
  [
    'sandbox',
    /DATABASE_URL must look like postgresql:/,
    { BELLHOP_PORT: '0', DATABASE_URL: 'here' },
  ],
  ['bouncer', /^BELLHOP_BOUNCER_DATABASE_URL must look like postgresql:/, bouncerOn('here')],
])('bellhop %s fails with one line that says what to do: %s', async (line, message, env = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-cli-'));
  vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
  stubVariables(env);
  const { code, err } = await runBellhop(...line.split(' '));
  expect(code).toBe(1);
  expect(err).toMatch(message);
  expect(err).toMatch(/^[^\n]*\n$/);
  await rm(dataDir, { recursive: true });
});
