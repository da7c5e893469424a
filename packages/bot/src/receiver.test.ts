import { createHmac } from 'node:crypto';

import { expect, test, vi } from 'vitest';

import { createBot } from './create-bot.ts';
import { directMessage, mention } from './example-payload.fixture.ts';
import type { DeliveryReport, Failure, Warning } from './hooks.ts';
import { receiver } from './receiver.ts';

/** A body in the form in which adapters pass it. */
const posted = (body: unknown) => ({
  text: JSON.stringify(body),
  contentType: 'application/json',
  signature: { id: undefined, timestamp: undefined, signature: undefined },
});

const makeBot = () => createBot({ email: 'echo-bot@chat.test', token: 'genuine' });

test('onError gets the failure of a handler, the reply only its reference', async () => {
  const failures: Failure[] = [];
  const bot = makeBot().fallback(() => {
    throw new Error('connect ECONNREFUSED db.internal:5432');
  });
  const { receive } = receiver([bot], { hooks: { onError: (failure) => failures.push(failure) } });
  const { status, body } = await receive(posted(mention('hi')));
  expect(status).toBe(200);
  const [failure] = failures;
  expect(failure).toMatchObject({ botEmail: 'echo-bot@chat.test', trigger: 'mention' });
  expect(failure?.error).toEqual(new Error('connect ECONNREFUSED db.internal:5432'));
  expect(failure?.reference).toMatch(/^[0-9a-f]{8}$/);
  expect(JSON.parse(body)).toEqual({
    content: `Something went wrong. Reference ${failure?.reference}`,
    error: `handler_failed, reference ${failure?.reference}`,
  });
});

test('a failure without onError is written to standard error without the token', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const bot = makeBot().fallback(() => Promise.reject(new Error('no database')));
    const { body } = await receiver([bot]).receive(posted(mention('hi')));
    const line = String(written.mock.calls[0]?.[0]);
    const { reference, ...log } = JSON.parse(line);
    expect(body).toContain(reference);
    expect(log).toMatchObject({ level: 'error', botEmail: 'echo-bot@chat.test' });
    expect(log.error).toContain('Error: no database');
    expect(line).not.toContain('genuine');
  } finally {
    written.mockRestore();
  }
});

test.each([
  ['a number', 3],
  ['a widget that cannot be written', { content: 'x', widget: { big: 1n } }],
])('a handler that returns %s has failed', async (_what, result) => {
  const onError = vi.fn<(failure: Failure) => void>();
  const bot = makeBot().fallback(() => result as unknown as string);
  const { status, body } = await receiver([bot], { hooks: { onError } }).receive(
    posted(mention('hi')),
  );
  expect(status).toBe(200);
  expect(body).toContain('Something went wrong');
  expect(onError).toHaveBeenCalledOnce();
});

test('onDelivery is called for every delivery and every refusal', async () => {
  const reports: DeliveryReport[] = [];
  const bot = makeBot()
    .on('mention', () => 'hello')
    .command('quiet', () => {})
    .command('fail', () => {
      throw new Error('fails');
    });
  const hooks = { onError: () => {}, onDelivery: (report: DeliveryReport) => reports.push(report) };
  const { receive, refuse, idle } = receiver([bot], { hooks });
  await receive(posted(mention('hi')));
  await receive(posted(directMessage('quiet')));
  await receive(posted(mention('fail')));
  await idle();
  await receive(posted({ ...mention('hi'), token: 'wrong' }));
  await receive(posted({}));
  await receive(posted({ ...mention('hi'), trigger: 'poke', token: 'wrong' }));
  const { status, body } = await receive(posted({ ...mention('hi'), trigger: 'poke', message: 7 }));
  expect([status, JSON.parse(body)]).toEqual([200, { response_not_required: true }]);
  refuse(413);
  const about = { botEmail: 'echo-bot@chat.test', messageId: expect.any(Number) };
  const handled = { via: 'response', durationMs: expect.any(Number) };
  expect(reports).toEqual([
    { ...about, outcome: 'replied', trigger: 'mention', ...handled },
    { ...about, outcome: 'silent', trigger: 'direct_message', ...handled },
    { ...about, outcome: 'failed', trigger: 'mention', ...handled },
    { outcome: 'refused', status: 401, reason: 'wrong_token' },
    { outcome: 'refused', status: 400 },
    { outcome: 'refused', status: 401, reason: 'wrong_token' },
    { outcome: 'ignored', botEmail: 'echo-bot@chat.test', trigger: 'unknown' },
    { outcome: 'refused', status: 413 },
  ]);
});

test('an unknown trigger is warned of once, though each delivery is acknowledged', async () => {
  const warnings: Warning[] = [];
  const hooks = { onWarning: (warning: Warning) => warnings.push(warning) };
  const { receive } = receiver([makeBot()], { hooks });
  for (const trigger of ['poke', 'poke', 'wave']) {
    const { status, body } = await receive(posted({ ...mention('hi'), trigger }));
    expect([status, JSON.parse(body)]).toEqual([200, { response_not_required: true }]);
  }
  expect(warnings).toEqual([
    {
      code: 'unknown_trigger',
      message: expect.stringContaining("'poke'"),
      botEmail: 'echo-bot@chat.test',
    },
  ]);
});

test('a failing hook does not change the answer', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const hooks = {
      onError: () => {
        throw new Error('hook');
      },
      onDelivery: async () => {
        throw new Error('async hook');
      },
    };
    const bot = makeBot().fallback(() => Promise.reject(new Error('fails')));
    const { receive, idle } = receiver([bot], { hooks });
    expect((await receive(posted(mention('hi')))).status).toBe(200);
    await idle();
    expect(written.mock.calls.map(([line]) => JSON.parse(String(line)).msg)).toEqual([
      'hook failed',
      'hook failed',
    ]);
  } finally {
    written.mockRestore();
  }
});

test('a failing bot does not affect another bot', async () => {
  const bad = createBot({ email: 'bad-bot@chat.test', token: 'bad' }).fallback(() => {
    throw new Error('bad');
  });
  const good = makeBot().fallback((ctx) => ctx.text);
  const { receive } = receiver([bad, good], { hooks: { onError: () => {} } });
  const toBad = receive(posted({ ...mention('hi'), bot_email: 'bad-bot@chat.test', token: 'bad' }));
  expect((await toBad).body).toContain('Something went wrong');
  expect((await receive(posted(mention('hi')))).body).toBe('{"content":"hi"}');
});

test('a delivery with a wrong signature is refused; the refusal of a genuine old signature names the clock', async () => {
  const onDelivery = vi.fn();
  const { receive } = receiver([makeBot().fallback(() => 'hi')], { hooks: { onDelivery } });
  const body = posted(mention('hi'));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signedAt = (time: string) => {
    const digest = createHmac('sha256', 'genuine').update(`msg_1.${time}.${body.text}`);
    return { id: 'msg_1', timestamp: time, signature: `v1,${digest.digest('base64')}` };
  };
  const signature = signedAt(timestamp);
  expect((await receive({ ...body, signature })).status).toBe(200);
  const old = String(Number(timestamp) - 1000);
  expect(await receive({ ...body, signature: { ...signature, timestamp: old } })).toEqual({
    status: 401,
    body: '{"error":"Unauthorized"}',
  });
  const late = await receive({ ...body, signature: signedAt(old) });
  expect(late).toMatchObject({ status: 401, body: expect.stringContaining('clock') as string });
  const reasons = onDelivery.mock.calls.slice(1).map(([one]) => (one as { reason: string }).reason);
  expect(reasons).toEqual(['wrong_signature', 'wrong_clock']);
});

test('a delivery in the Slack-compatible form is answered with `text`', async () => {
  const { receive } = receiver([makeBot().fallback((ctx) => ctx.text)]);
  const form = {
    token: 'genuine',
    service_id: '9',
    channel_id: 'C3',
    channel_name: 'ops',
    user_id: 'U7',
    user_name: 'Iago',
    text: '@**Echo Bot** hi',
    timestamp: '1790000000',
  };
  const contentType = 'application/x-www-form-urlencoded';
  const slack = (fields: Record<string, string>) => ({
    ...posted({}),
    text: new URLSearchParams({ ...form, ...fields }).toString(),
    contentType,
  });
  expect(await receive(slack({}))).toEqual({ status: 200, body: '{"text":"hi"}' });
  expect((await receive(slack({ token: 'wrong' }))).status).toBe(401);
  const other = createBot({ email: 'other-bot@chat.test', token: 'other' }).fallback(() => 'other');
  const { receive: receiveBoth } = receiver([makeBot().fallback(() => 'echo'), other]);
  expect((await receiveBoth(slack({ token: 'other' }))).body).toBe('{"text":"other"}');
  expect((await receive(slack({ user_id: '' }))).status).toBe(400);
});

test('a test of the webhook, whose message has the id 0, is answered with `content`', async () => {
  const { receive } = receiver([makeBot().fallback((ctx) => ctx.text)]);
  const payload = mention('hi');
  const request = posted({ ...payload, message: { ...payload.message, id: 0 } });
  expect(await receive(request)).toEqual({ status: 200, body: '{"content":"hi"}' });
});

test('a rejected `resolve` is answered as an unknown bot and reported to onError', async () => {
  const onError = vi.fn<(failure: Failure) => void>();
  const resolve = () => Promise.reject(new Error('no database'));
  const { receive } = receiver([], { hooks: { onError }, resolve });
  const answer = await receive(posted(mention('hi')));
  expect(answer).toEqual({ status: 401, body: '{"error":"Unauthorized"}' });
  expect(onError).toHaveBeenCalledWith(
    expect.objectContaining({ error: new Error('no database'), botEmail: 'echo-bot@chat.test' }),
  );
});
