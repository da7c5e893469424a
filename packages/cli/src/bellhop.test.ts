import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { main } from './bellhop.ts';

let printed: string[] = [];
let complained: string[] = [];
beforeEach(() => {
  printed = [];
  complained = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(String(line)));
  vi.spyOn(console, 'error').mockImplementation(
    (line: unknown) => void complained.push(String(line)),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const forBots = ['new', 'dev', 'chat', 'receive', 'probe', 'fake-server'].map(
  (name) => `bot ${name}`,
);
const names = ['sandbox', 'try', 'server', 'bouncer', 'secrets', ...forBots];

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists the commands', async (args) => {
  expect(await main(args)).toBe(0);
  for (const name of names) expect(printed.join('\n')).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test.each(names)('%s says what it is, in two ways', async (name) => {
  expect(await main([...name.split(' '), '--help'])).toBe(0);
  expect(printed[0]).toMatch(new RegExp(`^Usage: bellhop ${name}`));
  const [first] = printed;
  printed = [];
  expect(await main(['help', ...name.split(' ')])).toBe(0);
  expect(printed[0]).toBe(first);
});

test.each([[['bot']], [['bot', '--help']], [['help', 'bot']]])(
  '%j lists the commands for bots',
  async (args) => {
    expect(await main(args)).toBe(0);
    for (const name of forBots) expect(printed.join('\n')).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(printed.join('\n')).not.toContain('sandbox');
  },
);

test('every variable of the services is in their help', async () => {
  await main(['server', '--help']);
  await main(['bouncer', '--help']);
  for (const name of ['DATABASE_URL', 'BELLHOP_SECRET', 'BELLHOP_BOUNCER_ORG_KEY'])
    expect(printed[0]).toContain(name);
  for (const name of ['BELLHOP_BOUNCER_DATABASE_URL', 'BELLHOP_BOUNCER_KEYS_FILE'])
    expect(printed[1]).toContain(name);
});

test.each([
  [['nope'], 'There is no command "nope"'],
  [['help', 'nope'], 'There is no command "nope"'],
  [['bot', 'nope'], 'There is no command "bot nope"'],
  [['sandbox', '--nope'], "Unknown option '--nope'."],
  [['sandbox', 'extra'], "Unexpected argument 'extra'."],
  [['server', '--owner'], "Option '--owner <value>' argument missing"],
])('%j is refused with what would be right', async (args, message) => {
  expect(await main(args)).toBe(2);
  expect(complained.join('\n')).toContain(message);
  expect(complained.join('\n')).toContain('--help"');
});

test('the server names every variable that is missing', async () => {
  vi.stubEnv('BELLHOP_SECRET', '');
  vi.stubEnv('BELLHOP_EXTERNAL_URL', undefined);
  vi.stubEnv('BELLHOP_BOUNCER_URL', 'http://127.0.0.1:4602');
  expect(await main(['server'])).toBe(1);
  expect(complained).toHaveLength(1);
  expect(complained[0]?.match(/^ {2}BELLHOP_\w+/gm)).toEqual([
    '  BELLHOP_SECRET',
    '  BELLHOP_EXTERNAL_URL',
    '  BELLHOP_BOUNCER_ORG_ID',
    '  BELLHOP_BOUNCER_ORG_KEY',
  ]);
});

test('the bouncer says what it misses', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_KEYS', undefined);
  vi.stubEnv('BELLHOP_BOUNCER_APNS_KEY', 'no key');
  expect(await main(['bouncer'])).toBe(1);
  expect(complained[0]).toContain('BELLHOP_BOUNCER_KEYS is not set');
  expect(complained[0]).toContain('BELLHOP_BOUNCER_APNS_TEAM_ID is not set');
});

test('what the person at the keyboard got wrong is one line', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-cli-'));
  vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
  const cases: readonly (readonly [string[], RegExp, Record<string, string>?])[] = [
    [['try'], /^Say what to try/],
    [['try', 'nothing'], /^Say what to try/],
    [['try', 'message'], /^There is no running sandbox in .*: start one with "npm start"/],
    [['sandbox'], /^BELLHOP_PORT must be a number/, { BELLHOP_PORT: 'http' }],
    [
      ['sandbox'],
      /^BELLHOP_LOG_LEVEL is "loud": use one of trace, /,
      { BELLHOP_LOG_LEVEL: 'loud' },
    ],
    [['sandbox'], /must look like postgresql:/, { BELLHOP_PORT: '0', DATABASE_URL: 'here' }],
  ];
  for (const [args, message, env = {}] of cases) {
    complained = [];
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(await main(args)).toBe(1);
    for (const name of Object.keys(env)) vi.stubEnv(name, undefined);
    expect(complained).toEqual([expect.stringMatching(message)]);
    expect(complained[0]).not.toContain('\n');
  }
  await rm(dataDir, { recursive: true });
});
