import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { commandRunner } from '../support/command-runner.ts';
import { type Program, startProgram } from '../support/program.ts';

const Start = z.object({
  fcm_url: z.url(),
  control_url: z.url(),
  control_token: z.string(),
  files: z.record(z.enum(['apns_key', 'service_account', 'ca', 'environment']), z.string()),
});

let directory: string;
let simulator: Program;
let started: z.output<typeof Start>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-simulator-'));
  simulator = await startProgram(['simulator', '--json'], { env: environment(), ready: /^\{/ });
  started = Start.parse(JSON.parse(simulator.output().split('\n')[0] ?? ''));
});
afterAll(async () => {
  await simulator[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const environment = () => ({ BELLHOP_SIMULATOR_DIR: directory, BELLHOP_DATA_DIR: directory });

/** Runs `bellhop simulator` with further words. */
const bellhop = commandRunner(environment);
const run = (...words: readonly string[]) => bellhop('simulator', ...words);

test('a second bellhop simulator in the directory of a running one is refused, and the first one stays reachable', async () => {
  const second = await bellhop('simulator', '--json');
  expect(second.code).toBe(1);
  expect(second.output).toMatch(
    /^The simulator cannot start: .* in use by process \d+.*BELLHOP_SIMULATOR_DIR\.\n$/,
  );
  expect((await run('fault', 'list')).code).toBe(0);
});

test('bellhop simulator names a port that is taken', async () => {
  const { port } = new URL(started.control_url);
  const elsewhere = { ...environment(), BELLHOP_SIMULATOR_DIR: join(directory, 'second') };
  const { code, output } = await commandRunner(() => elsewhere)('simulator', '--port', port);
  expect([code, output]).toEqual([
    1,
    `The simulator cannot start: port ${port} is taken. Choose another with --port.\n`,
  ]);
});

/** Sends Google's simulated token endpoint a request without credentials. */
async function requestToken() {
  const ca = await readFile(started.files.ca);
  const sending = request(`${started.fcm_url}/token`, { ca, method: 'POST' }).end();
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
}

test('the files that bellhop simulator names at its start are private', async () => {
  for (const path of [...Object.values(started.files), join(directory, 'simulator.json')])
    expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('bellhop simulator fault sets, lists and clears faults', async () => {
  const { output: kinds } = await run('fault', 'list');
  expect(kinds).toMatch(/^No fault is on\.\n/);
  expect(kinds).toContain('bellhop simulator fault set apns|fcm|oauth|webpush KIND [options]');
  const set = await run('fault', 'set', 'apns', 'TooManyRequests', '--retry-after', '7');
  expect(set).toMatchObject({ code: 0, output: '1\n' });
  const { output } = await run('fault', 'list');
  expect(output).toContain('1: apns {"status":429,"reason":"TooManyRequests","retry_after":7}\n');
  expect(output).toMatch(/^ {2}any freeze +The simulator stops reading/m);
  expect(await run('fault', 'clear', '1')).toMatchObject({ code: 0 });
  expect(await run('fault', 'clear', '1')).toMatchObject({
    code: 1,
    output: 'No fault 1 is on.\n',
  });
  const wrong = await run('fault', 'set', 'fcm', 'TooManyRequests');
  expect(wrong).toMatchObject({ code: 1, output: expect.stringMatching(/^fcm has no fault/) });
});

test('bellhop simulator play shows a faulty file by place, and plays a good one', async () => {
  const file = join(directory, 'scenario.json');
  const fault = { provider: 'oauth', fault: 'earthquake' };
  await writeFile(file, JSON.stringify({ name: 'quake', steps: [{ set: [fault] }] }));
  const bad = await run('play', file);
  expect(bad.output).toContain(`${file}: steps[0].set[0].fault: expected one of goaway,`);
  const good = { provider: 'oauth', fault: { status: 503, reason: 'internal_failure' } };
  const steps = [{ set: [good] }, { after_requests: 99, clear: true }];
  await writeFile(file, JSON.stringify({ name: 'quake', steps }));
  expect((await run('play', file)).output).toBe('"quake": 1 of 2 steps.\n');
  expect((await run('fault', 'list')).output).toContain('oauth {"status":503');
  expect((await run('play', '--stop')).code).toBe(0);
  expect((await run('play')).output).toBe('"quake": 1 of 2 steps, ended.\n');
});

test('bellhop simulator log says that there was no request yet', async () => {
  expect(await run('log')).toEqual({ code: 0, output: 'No request has come yet.\n' });
  expect(await run('log', '--json')).toEqual({ code: 0, output: '' });
});

test('bellhop simulator log prints requests, and with --follow the later ones too', async () => {
  await requestToken();
  await using following = await startProgram(['simulator', 'log', '--follow', '--json'], {
    env: environment(),
    ready: /"path":"\/token"/,
  });
  await requestToken();
  await expect.poll(() => following.output().match(/"path":"\/token"/g)).toHaveLength(2);
  expect(await following.signal('SIGINT')).toBe(0);
  const { output } = await run('log', '--bodies');
  expect(output).toMatch(/oauth +4\d\d \w+ +0 B POST \/token$/m);
});

test('a wrong token and a missing simulator are errors of one line', async () => {
  const at = ['--simulator', started.control_url];
  expect((await run('log', ...at, '--token', 'wrong')).output).toMatch(
    /^The simulator refused this: /,
  );
  const nobody = ['--simulator', 'http://127.0.0.1:9', '--token', 'x'];
  expect((await run('log', ...nobody)).output).toBe(
    'No simulator answers at http://127.0.0.1:9.\n',
  );
});
