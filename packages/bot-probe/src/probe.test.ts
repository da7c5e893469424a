import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test } from 'vitest';

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
afterEach(() => ends.disposeAsync());

const patience = { deadlineMs: 300, slowMs: 400 };
const serving = async (bot: RequestListener, requestTimeout = 30_000) =>
  ends.use(await listen(bot, { requestTimeout })).url;

/** What one check says of a bot. */
async function found(bot: RequestListener, name: string, requestTimeout?: number) {
  const groups = [genuine, repeats, credentials, malformed, size, slowness];
  const check = groups.flatMap(({ checks }) => checks).find((one) => one.check === name);
  if (!check) throw new Error(`There is no check ${name}`);
  const about = { ...identity, bot_full_name: 'Echo', content: 'hello', ...patience };
  return check.run(targetAt(await serving(bot, requestTimeout), about));
}
const answering = (body: string, status = 200) =>
  checkingBot({ answer: (response) => void response.writeHead(status).end(body) });

test('a correct bot without signatures has no faults and two warnings', async () => {
  let told = 0;
  const url = await serving(checkingBot(), 180);
  const findings = await probe(url, { ...identity, ...patience, onFinding: () => told++ });
  expect(findings.filter(({ verdict }) => verdict === 'fault')).toEqual([]);
  expect(findings).toHaveLength(told);
  expect(findings.length).toBeGreaterThan(45);
  const warnings = findings.filter(({ verdict }) => verdict === 'warning');
  expect(warnings.map(({ check }) => check)).toEqual([
    'a signature by another key',
    'a genuine signature, a day old',
  ]);
});

test('every warning and fault has advice', async () => {
  const naive: RequestListener = (_request, response) => response.end('Hello!');
  const findings = await probe(await serving(naive), { ...identity, ...patience });
  const bad = findings.filter(({ verdict }) => verdict !== 'ok');
  expect(bad.length).toBeGreaterThan(30);
  for (const { advice } of bad) expect(advice).toMatch(/^[A-Z].{20,}\.$/s);
});

test.each([
  ['a body that is no JSON', answering('Hello!'), /200 with a body that is no JSON "Hello!"/],
  ['an empty body', answering(''), /an empty body/],
  ['a list', answering('["hi"]'), /no object/],
  ['204', answering('', 204), /204 with an empty body/],
  ['a failure of its own', answering('{}', 500), /status 500/],
  ['a refusal', answering('{}', 401), /status 401/],
  ['a redirect', answering('', 302), /status 302/],
  ['a widget that is no text', answering('{"content":"x","widget_content":{}}'), /widget_content/],
  ['an answer that is too long', answering(`"${'x'.repeat(70_000)}"`), /longer than 65536/],
  ['its token', answering(JSON.stringify({ content: identity.token })), /the token/],
  [
    'a stack trace',
    answering('{"error":"Error: x\\n    at connect (/srv/bot.js:3:14)"}'),
    /a path of its machine|stack trace/,
  ],
  ['no answer', checkingBot({ answer: () => {} }), /no answer within 0.3 s/],
  ['a broken connection', checkingBot({ answer: (response) => response.destroy() }), /ECONNRESET/],
])('%s to a genuine delivery is a fault', async (_name, bot, happened) => {
  const finding = await found(bot, 'a direct message');
  expect(finding).toMatchObject({ verdict: 'fault' });
  expect(finding.happened).toMatch(happened);
});

test('an answer close to the deadline is a warning', async () => {
  const late = checkingBot({
    answer: (response) => void setTimeout(() => response.end('{}'), patience.deadlineMs * 0.85),
  });
  expect(await found(late, 'a direct message')).toMatchObject({ verdict: 'warning' });
});

test('an answer without a reply is ok', async () => {
  expect(
    await found(answering('{"response_not_required":true}'), 'a direct message'),
  ).toMatchObject({ verdict: 'ok', happened: expect.stringContaining('silence') as unknown });
});

test('a refused private_message trigger is a warning', async () => {
  const strict = checkingBot({
    answer: (response, { trigger }) =>
      void response.writeHead(trigger === 'private_message' ? 400 : 200).end('{}'),
  });
  expect(await found(strict, 'the old trigger private_message')).toMatchObject({
    verdict: 'warning',
  });
});

const trusting = checkingBot({ isGenuine: () => true });
test.each([
  ['a wrong token', trusting],
  ['a bot it does not know', trusting],
  [
    'the token less its last letter',
    checkingBot({ isGenuine: ({ token }) => identity.token.startsWith(token) }),
  ],
  [
    'the token and one letter more',
    checkingBot({ isGenuine: ({ token }) => token.startsWith(identity.token) }),
  ],
  [
    'the token in the other case',
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
])('who accepts %s runs for anybody', async (check, bot) => {
  expect(await found(bot, check)).toMatchObject({ verdict: 'fault' });
  expect(await found(checkingBot(), check)).toMatchObject({ verdict: 'ok' });
});

test('a token that is accepted for another bot is a warning', async () => {
  const check = 'the token under the name of another bot';
  const anyName = checkingBot({ isGenuine: ({ token }) => token === identity.token });
  expect(await found(anyName, check)).toMatchObject({ verdict: 'warning' });
  expect(await found(checkingBot(), check)).toMatchObject({ verdict: 'ok' });
});

test('different answers to an unknown bot and a wrong token are reported', async () => {
  const check = 'an unknown bot and a wrong token look alike';
  const telling = checkingBot({
    unauthorized: (response, { bot_email }) =>
      void response.writeHead(401).end(bot_email === identity.bot_email ? 'token' : 'bot'),
  });
  expect(await found(telling, check)).toMatchObject({ verdict: 'fault' });
  const quoting = checkingBot({
    unauthorized: (response, { bot_email }) =>
      void response.writeHead(401).end(`${bot_email} is not let in`),
  });
  expect(await found(quoting, check)).toMatchObject({ verdict: 'ok' });
  let turn = 0;
  const numbered = checkingBot({
    unauthorized: (response) => void response.writeHead(401).end(`refusal ${++turn}`),
  });
  expect(await found(numbered, check)).toMatchObject({
    verdict: 'ok',
    advice: expect.stringContaining('could not be compared') as unknown,
  });
});

test('a stack trace for a wrong token is a fault, an empty 500 a warning', async () => {
  const check = 'a body that is no JSON';
  const leaking = checkingBot({
    refuse: (response, error) => void response.writeHead(400).end((error as Error).stack),
  });
  expect(await found(leaking, check)).toMatchObject({
    verdict: 'fault',
    happened: expect.stringContaining('stack trace') as unknown,
  });
  const failing = checkingBot({ refuse: (response) => void response.writeHead(500).end() });
  expect(await found(failing, check)).toMatchObject({ verdict: 'warning' });
});

test('a bot that crashes is told from a bot that closes the connection', async () => {
  const check = 'an object without anything';
  const hangingUp = checkingBot({ refuse: (response) => void response.destroy() });
  expect(await found(hangingUp, check)).toMatchObject({ verdict: 'warning' });
  let isDead = false;
  const dying = checkingBot({
    refuse: (response) => {
      isDead = true;
      response.destroy();
    },
  });
  const mortal: RequestListener = (request, response) =>
    isDead ? void response.destroy() : dying(request, response);
  expect(await found(mortal, check)).toMatchObject({
    verdict: 'fault',
    happened: expect.stringContaining('gone since') as unknown,
  });
});

test('a malformed request without an answer is a fault', async () => {
  const hanging = checkingBot({ refuse: () => {} });
  expect(await found(hanging, 'an empty body')).toMatchObject({ verdict: 'fault' });
});

test('a bot without a body limit is reported', async () => {
  const greedy = checkingBot({ limit: Infinity });
  expect(await found(greedy, 'a stranger’s body of 2 MiB')).toMatchObject({ verdict: 'warning' });
  expect(await found(greedy, 'a body announced as 1 GiB')).toMatchObject({ verdict: 'warning' });
  expect(await found(greedy, 'a body without an end')).toMatchObject({
    verdict: 'fault',
    happened: expect.stringContaining('would have read on') as unknown,
  });
  const careful = checkingBot();
  expect(await found(careful, 'a body announced as 1 GiB')).toMatchObject({
    verdict: 'ok',
    happened: 'status 413',
  });
  expect(await found(careful, 'a body without an end')).toMatchObject({ verdict: 'ok' });
});

test('a bot that waits for a slow body is told from one that cuts it off', async () => {
  const check = 'a body that comes byte by byte';
  expect(await found(checkingBot(), check, 120)).toMatchObject({ verdict: 'ok' });
  expect(await found(checkingBot(), check)).toMatchObject({
    verdict: 'warning',
    advice: expect.stringContaining('cannot be known') as unknown,
  });
});

test('a bot that serves one connection at a time is a fault', async () => {
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
  const about = { ...identity, bot_full_name: 'Echo', content: 'hello', ...patience };
  const [check] = slowness.checks;
  expect(await check?.run(targetAt(url, { ...about, slowMs: 1500 }))).toMatchObject({
    verdict: 'fault',
    happened: 'nobody else was answered meanwhile',
  });
});

test('a repeated delivery that runs the handler again is reported', async () => {
  const check = 'one message three times: twice at once, once after';
  let runs = 0;
  const counting = checkingBot({
    answer: (response) => void response.end(`{"content":"run ${++runs}"}`),
  });
  expect(await found(counting, check)).toMatchObject({
    verdict: 'fault',
    happened: expect.stringContaining('different answers') as unknown,
  });
  const kept = new Map<number, string>();
  const keeping = checkingBot({
    answer(response, { message: { id } }) {
      kept.set(id, kept.get(id) ?? `{"content":"run ${++runs}"}`);
      response.end(kept.get(id));
    },
  });
  expect(await found(keeping, check)).toMatchObject({
    verdict: 'ok',
    advice: expect.stringContaining('this one was kept') as unknown,
  });
  expect(await found(checkingBot(), check)).toMatchObject({
    verdict: 'ok',
    advice: expect.stringContaining('cannot be seen') as unknown,
  });
  const seen = new Set<number>();
  const dropping = checkingBot({
    answer(response, { message: { id } }) {
      response.end(seen.has(id) ? '{}' : '{"content":"once"}');
      seen.add(id);
    },
  });
  expect(await found(dropping, check)).toMatchObject({ verdict: 'warning' });
});

test('an unreachable endpoint is a single fault', async () => {
  const findings = await probe('http://127.0.0.1:1/', { ...identity, ...patience });
  expect(findings).toMatchObject([{ verdict: 'fault', happened: 'no answer at all' }]);
  await expect(probe('ftp://127.0.0.1/', identity)).rejects.toThrow('is no HTTP address');
});

test('probe rejects when its signal is aborted', async () => {
  const stopping = new AbortController();
  const url = await serving(checkingBot());
  const asked = probe(url, {
    ...identity,
    signal: stopping.signal,
    onFinding: () => stopping.abort(new Error('enough')),
  });
  await expect(asked).rejects.toThrow('enough');
});
