import { listen } from '@bellhop/http';
import type { Finding } from '@bellhop/push-conform';
import { sealing } from '@bellhop/push-crypto';
import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';
import { reportFindings } from './print-findings.ts';

let simulator: PushSimulator;
/** A chat server and bouncer that lets only Ada in. */
let refusing: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  simulator = await startSimulator();
  const adas = `Basic ${btoa('ada@example.com:right')}`;
  refusing = await listen((request, response) => {
    const [status, answer] =
      request.headers.authorization === adas
        ? [200, { result: 'success', msg: '' }]
        : [401, { result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
afterAll(async () => {
  await refusing.stop();
  await simulator.stop();
});

const bouncerKey = sealing.generateKeyPair().publicKey;
/** An address at which nothing listens. */
const nowhere = 'http://127.0.0.1:1';

const conform = (what: 'server' | 'bouncer', url: string, changes: Record<string, string> = {}) => {
  const options = {
    'bouncer-key': bouncerKey,
    simulator: simulator.control_url,
    token: simulator.control_token,
    ...(what === 'server' ? { email: 'ada@example.com', 'api-key': 'right' } : {}),
    ...changes,
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return runBellhop('conform', what, url, ...words);
};
const senders = { 'sender-email': 'bob@example.com', 'sender-api-key': 'wrong' };

test.each(['server', 'bouncer'] as const)(
  'conform %s says in one line which party does not answer, and checks nothing',
  async (what) => {
    const service = what === 'server' ? 'chat server' : 'bouncer';
    const runs = {
      'No simulator answers at http://127.0.0.1:1. Start one': { simulator: nowhere },
      'refuses the control token. Give the control_token with --token': { token: 'wrong' },
      [`The ${service} cannot be reached: `]: {},
    };
    for (const [message, changes] of Object.entries(runs)) {
      const { code, out, err } = await conform(what, nowhere, changes);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^[^\n]* Nothing was checked\.\n$/);
      expect(err).toContain(message);
    }
  },
);

test.each([
  [
    'server',
    { 'api-key': 'wrong' },
    '401 UNAUTHORIZED, Invalid API key. Give --email and --api-key',
  ],
  ['server', senders, '401 UNAUTHORIZED, Invalid API key. Give --sender-email'],
  ['bouncer', {}, '401 UNAUTHORIZED, Invalid API key. Give --org-id and --org-key'],
] as const)(
  'conform %s %j says in one line which login is refused',
  async (what, changes, message) => {
    const { code, out, err } = await conform(what, refusing.url, changes);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^[^\n]* refuses the login: [^\n]* Nothing was checked\.\n$/);
    expect(err).toContain(message);
  },
);

test('a run in which everything was skipped does not conform', () => {
  const finding = (severity: Finding['severity']): Finding => ({
    group: 'g',
    check: 'c',
    section: 'Errors',
    severity,
    happened: '',
  });
  const log = vi.spyOn(console, 'log').mockReturnValue();
  expect(reportFindings([finding('skipped'), finding('skipped')], false)).toBe(1);
  expect(log.mock.lastCall?.[0]).toMatch(/2 skipped\. Nothing was checked\.$/);
  expect(reportFindings([finding('ok'), finding('skipped')], false)).toBe(0);
  log.mockRestore();
});
