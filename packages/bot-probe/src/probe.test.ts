import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { checkingBot, identity } from './checking-bot.fixture.ts';
import { credentials } from './checks/credentials.ts';
import { genuine } from './checks/genuine.ts';
import { malformed } from './checks/malformed.ts';
import { repeats } from './checks/repeats.ts';
import { size } from './checks/size.ts';
import { slowness } from './checks/slowness.ts';
import { probe } from './probe.ts';
import { targetAt } from './target.ts';

let ends: AsyncDisposableStack;
beforeEach(() => {
  ends = new AsyncDisposableStack();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await ends.disposeAsync();
});

/** For endpoints that do not answer. Others get 10 s, for a machine that does other work too. */
const times = { deadlineMs: 300, slowMs: 400 };
const PATIENCE_MS = 10_000;
async function serving(bot: RequestListener, requestTimeout = 30_000): Promise<string> {
  const { url, server } = ends.use(await listen(bot, { requestTimeout }));
  // The short limit is for bodies: a busy machine may need longer between a connection and its headers.
  server.headersTimeout = PATIENCE_MS;
  return url;
}

interface Options {
  readonly requestTimeout?: number;
  readonly deadlineMs?: number;
  readonly slowMs?: number;
}

/** The result of one check of a bot. */
async function found(bot: RequestListener, name: string, options: Options = {}) {
  const groups = [genuine, repeats, credentials, malformed, size, slowness];
  const check = groups.flatMap(({ checks }) => checks).find((one) => one.check === name);
  if (!check) throw new Error(`There is no check ${name}`);
  const { requestTimeout, deadlineMs = PATIENCE_MS, slowMs = times.slowMs } = options;
  const about = { ...identity, botFullName: 'Echo', content: 'hello', deadlineMs, slowMs };
  return check.run(targetAt(await serving(bot, requestTimeout), about));
}
const answering = (body: string, status = 200) =>
  checkingBot({ answer: (response) => void response.writeHead(status).end(body) });

test('a correct bot without signatures has no faults and two warnings', async () => {
  let reported = 0;
  const url = await serving(checkingBot(), 600);
  const limits = { deadlineMs: PATIENCE_MS, slowMs: PATIENCE_MS };
  const findings = await probe(url, { ...identity, ...limits, onFinding: () => reported++ });
  expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
  expect(findings).toHaveLength(reported);
  expect(findings.length).toBeGreaterThan(45);
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  expect(warnings.map(({ check }) => check)).toEqual([
    'a signature made with another key',
    'a valid signature that is a day old',
  ]);
});

test('every warning and fault has advice', async () => {
  const plainText: RequestListener = (_request, response) => response.end('Hello!');
  const findings = await probe(await serving(plainText), { ...identity, ...times });
  const bad = findings.filter(({ severity }) => severity !== 'ok');
  expect(bad.length).toBeGreaterThan(30);
  for (const { advice } of bad) expect(advice).toMatch(/^[A-Z].{20,}\.$/s);
});

test.each([
  [
    'a body that is not JSON',
    answering('Hello!'),
    /^200 but not JSON at line 1, column 1 "Hello!"/,
  ],
  ['an empty body', answering(''), /^200 but an empty answer, not JSON/],
  ['a JSON list', answering('["hi"]'), /^200 but a JSON list, not an object/],
  ['status 204', answering('', 204), /^204 but an empty answer/],
  ['status 500', answering('{}', 500), /^500 Internal Server Error: the bot failed/],
  ['status 401', answering('{}', 401), /^401 Unauthorized: the bot refuses the token/],
  ['a redirect', answering('', 302), /^302 Found: redirects are refused/],
  [
    'a widget that is not a string',
    answering('{"content":"x","widget_content":{}}'),
    /widget_content/,
  ],
  ['an answer that is too long', answering(`"${'x'.repeat(70_000)}"`), /^200 but over 64 KiB/],
  ['an answer with the token', answering(JSON.stringify({ content: identity.token })), /the token/],
  [
    'an answer with a stack trace',
    answering('{"error":"Error: x\\n    at connect (/srv/bot.js:3:14)"}'),
    /a path of its machine|stack trace/,
  ],
  [
    'a broken connection',
    checkingBot({ answer: (response) => response.destroy() }),
    /^connection closed after \d+ ms$/,
  ],
])('%s to a genuine delivery is a fault', async (_name, bot, happened) => {
  const finding = await found(bot, 'a direct message');
  expect(finding).toMatchObject({ severity: 'fault' });
  expect(finding.happened).toMatch(happened);
});

test('no answer to a genuine delivery is a fault', async () => {
  const silent = checkingBot({ answer: () => {} });
  const { deadlineMs } = times;
  expect(await found(silent, 'a direct message', { deadlineMs })).toMatchObject({
    severity: 'fault',
    happened: expect.stringMatching(
      /^time-out after 0.3 s: the first byte had not come$/,
    ) as unknown,
  });
});

test('an answer close to the deadline is a warning', async () => {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
  // The bot answers at once, and its clock skips 85 % of the deadline.
  const late = checkingBot({
    answer(response) {
      skippedMs += PATIENCE_MS * 0.85;
      response.end('{}');
    },
  });
  expect(await found(late, 'a direct message')).toMatchObject({
    severity: 'warning',
    happened: expect.stringMatching(/^silence in 8\d{3} ms$/) as unknown,
  });
});

test('silence in answer to a direct message is ok', async () => {
  expect(
    await found(answering('{"response_not_required":true}'), 'a direct message'),
  ).toMatchObject({ severity: 'ok', happened: expect.stringContaining('silence') as unknown });
});

test('silence that was probably meant as a reply is a warning', async () => {
  expect(await found(answering('{"text":"hello"}'), 'a direct message')).toMatchObject({
    severity: 'warning',
    happened: '200 but no content: did you mean "content" for "text"?',
  });
});

test('a refusal of the trigger private_message is a warning', async () => {
  const strict = checkingBot({
    answer: (response, { trigger }) =>
      void response.writeHead(trigger === 'private_message' ? 400 : 200).end('{}'),
  });
  expect(await found(strict, 'the old trigger private_message')).toMatchObject({
    severity: 'warning',
  });
});

const acceptsAll = checkingBot({ isGenuine: () => true });
test.each([
  ['a wrong token', acceptsAll],
  ['an unknown bot', acceptsAll],
  [
    'the token without its last character',
    checkingBot({ isGenuine: ({ token }) => identity.token.startsWith(token) }),
  ],
  [
    'the token with one more character',
    checkingBot({ isGenuine: ({ token }) => token.startsWith(identity.token) }),
  ],
  [
    'the token in the other letter case',
    checkingBot({
      isGenuine: ({ token }) => token.toLowerCase() === identity.token.toLowerCase(),
    }),
  ],
  ['an empty token', checkingBot({ isGenuine: ({ token }) => identity.token.includes(token) })],
  [
    'an object for a token',
    checkingBot({
      parse: (body) => JSON.parse(body) as never,
      isGenuine: ({ token }) => typeof token === 'object' || token === identity.token,
    }),
  ],
])('a bot that accepts %s has a fault', async (check, bot) => {
  expect(await found(bot, check)).toMatchObject({ severity: 'fault' });
  expect(await found(checkingBot(), check)).toMatchObject({ severity: 'ok' });
});

test('a bot that accepts its token with another address has a warning', async () => {
  const check = 'the token with the address of another bot';
  const anyAddress = checkingBot({ isGenuine: ({ token }) => token === identity.token });
  expect(await found(anyAddress, check)).toMatchObject({ severity: 'warning' });
  expect(await found(checkingBot(), check)).toMatchObject({ severity: 'ok' });
});

test('an answer that shows whether a bot exists is a fault', async () => {
  const check = 'the same answer to an unknown bot and a wrong token';
  const revealing = checkingBot({
    unauthorized: (response, { bot_email }) =>
      void response.writeHead(401).end(bot_email === identity.botEmail ? 'token' : 'bot'),
  });
  expect(await found(revealing, check)).toMatchObject({ severity: 'fault' });
  const quoting = checkingBot({
    unauthorized: (response, { bot_email }) =>
      void response.writeHead(401).end(`${bot_email} is refused`),
  });
  expect(await found(quoting, check)).toMatchObject({ severity: 'ok' });
  let refusals = 0;
  const numbered = checkingBot({
    unauthorized: (response) => void response.writeHead(401).end(`refusal ${++refusals}`),
  });
  expect(await found(numbered, check)).toMatchObject({
    severity: 'ok',
    advice: expect.stringContaining('could not be compared') as unknown,
  });
});

test('a stack trace in answer to a malformed body is a fault, an empty 500 a warning', async () => {
  const check = 'a body that is not JSON';
  const leaking = checkingBot({
    refuse: (response, error) => void response.writeHead(400).end((error as Error).stack),
  });
  expect(await found(leaking, check)).toMatchObject({
    severity: 'fault',
    happened: expect.stringContaining('stack trace') as unknown,
  });
  const failing = checkingBot({ refuse: (response) => void response.writeHead(500).end() });
  expect(await found(failing, check)).toMatchObject({ severity: 'warning' });
});

test('a crash is a fault, a closed connection only a warning', async () => {
  const check = 'an empty JSON object';
  const closing = checkingBot({ refuse: (response) => void response.destroy() });
  expect(await found(closing, check)).toMatchObject({ severity: 'warning' });
  let hasCrashed = false;
  const crashing = checkingBot({
    refuse: (response) => {
      hasCrashed = true;
      response.destroy();
    },
  });
  const untilCrash: RequestListener = (request, response) =>
    hasCrashed ? void response.destroy() : crashing(request, response);
  expect(await found(untilCrash, check)).toMatchObject({
    severity: 'fault',
    happened: expect.stringContaining('no answers at all') as unknown,
  });
});

test('a malformed request without an answer is a fault', async () => {
  const silent = checkingBot({ refuse: () => {} });
  const { deadlineMs } = times;
  expect(await found(silent, 'an empty body', { deadlineMs })).toMatchObject({ severity: 'fault' });
});

test('a bot without a body limit has warnings and a fault, a bot with a limit is ok', async () => {
  const unlimited = checkingBot({ limit: Infinity });
  expect(await found(unlimited, 'a body of 2 MiB with a wrong token')).toMatchObject({
    severity: 'warning',
  });
  expect(await found(unlimited, 'a content-length of 1 GiB')).toMatchObject({
    severity: 'warning',
  });
  expect(await found(unlimited, 'an endless body')).toMatchObject({
    severity: 'fault',
    happened: expect.stringContaining('it read all 24.0 MiB') as unknown,
  });
  const limited = checkingBot();
  const slowMs = PATIENCE_MS;
  expect(await found(limited, 'a content-length of 1 GiB', { slowMs })).toMatchObject({
    severity: 'ok',
    happened: 'status 413',
  });
  expect(await found(limited, 'an endless body')).toMatchObject({ severity: 'ok' });
});

test('a bot that closes a slow request is ok, a bot that waits for it has a warning', async () => {
  const check = 'a body sent byte by byte';
  const closing = { requestTimeout: 120, slowMs: PATIENCE_MS };
  expect(await found(checkingBot(), check, closing)).toMatchObject({ severity: 'ok' });
  expect(await found(checkingBot(), check)).toMatchObject({
    severity: 'warning',
    advice: expect.stringContaining('cannot see') as unknown,
  });
});

test('a bot that serves only one connection at a time has a fault', async () => {
  let isBusy = false;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (isBusy) socket.pause();
    isBusy = true;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const about = { ...identity, botFullName: 'Echo', content: 'hello', ...times };
  const [check] = slowness.checks;
  expect(await check?.run(targetAt(url, { ...about, slowMs: 1500 }))).toMatchObject({
    severity: 'fault',
    happened: 'other requests were not answered meanwhile',
  });
});

test('different answers to a repeated delivery are a fault, silence to a repeat is a warning', async () => {
  const check = 'one message three times: two at once, one later';
  let runs = 0;
  const counting = checkingBot({
    answer: (response) => void response.end(`{"content":"run ${++runs}"}`),
  });
  expect(await found(counting, check)).toMatchObject({
    severity: 'fault',
    happened: expect.stringContaining('different answers') as unknown,
  });
  const answers = new Map<number, string>();
  const storing = checkingBot({
    answer(response, { message: { id } }) {
      answers.set(id, answers.get(id) ?? `{"content":"run ${++runs}"}`);
      response.end(answers.get(id));
    },
  });
  expect(await found(storing, check)).toMatchObject({
    severity: 'ok',
    advice: expect.stringContaining('this one was stored') as unknown,
  });
  expect(await found(checkingBot(), check)).toMatchObject({
    severity: 'ok',
    advice: expect.stringContaining('cannot see') as unknown,
  });
  const seen = new Set<number>();
  const dropping = checkingBot({
    answer(response, { message: { id } }) {
      response.end(seen.has(id) ? '{}' : '{"content":"once"}');
      seen.add(id);
    },
  });
  expect(await found(dropping, check)).toMatchObject({ severity: 'warning' });
});

test('the probe of an unreachable endpoint has one finding, a fault', async () => {
  const findings = await probe('http://127.0.0.1:1/', { ...identity, ...times });
  expect(findings).toMatchObject([
    {
      severity: 'fault',
      happened: 'connection refused: nothing listens at 127.0.0.1:1',
    },
  ]);
  await expect(probe('ftp://127.0.0.1/', identity)).rejects.toThrow('is not an HTTP address');
});

test('probe rejects when its signal is aborted', async () => {
  const stopping = new AbortController();
  const url = await serving(checkingBot());
  const probing = probe(url, {
    ...identity,
    signal: stopping.signal,
    onFinding: () => stopping.abort(new Error('enough')),
  });
  await expect(probing).rejects.toThrow('enough');
});
