import { expect, test, vi } from 'vitest';

import type { DeliveryReport, Failure } from './bot.ts';
import { createBot } from './create-bot.ts';
import { directMessage, mention } from './example-payload.ts';
import { receiver } from './receiver.ts';

const makeBot = () => createBot({ email: 'echo-bot@chat.test', token: 'genuine' });

test('a handler’s failure is logged in full and told by its reference only', async () => {
  const failures: Failure[] = [];
  const bot = makeBot().fallback(() => {
    throw new Error('connect ECONNREFUSED db.internal:5432');
  });
  const { receive } = receiver([bot], { hooks: { onError: (failure) => failures.push(failure) } });
  const { status, body } = await receive(mention('hi'));
  expect(status).toBe(200);
  const [failure] = failures;
  expect(failure).toMatchObject({ bot_email: 'echo-bot@chat.test', message_id: 91 });
  expect(failure?.error).toEqual(new Error('connect ECONNREFUSED db.internal:5432'));
  expect(failure?.reference).toMatch(/^[0-9a-f]{8}$/);
  expect(JSON.parse(body)).toEqual({
    content: `Something went wrong. Reference ${failure?.reference}`,
  });
});

test('a failure without a hook goes to standard error, without the token', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const bot = makeBot().fallback(() => Promise.reject(new Error('no database')));
    const { body } = await receiver([bot]).receive(mention('hi'));
    const line = String(written.mock.calls[0]?.[0]);
    const { reference, ...log } = JSON.parse(line);
    expect(body).toContain(reference);
    expect(log).toMatchObject({ level: 'error', message_id: 91 });
    expect(log.error).toContain('Error: no database');
    expect(line).not.toContain('genuine');
  } finally {
    written.mockRestore();
  }
});

test.each([
  ['a number', 3],
  ['a widget that cannot be written', { content: 'x', widget_content: { big: 1n } }],
])('a handler that returns %s has failed', async (_what, result) => {
  const onError = vi.fn<(failure: Failure) => void>();
  const bot = makeBot().fallback(() => result as unknown as string);
  const { status, body } = await receiver([bot], { hooks: { onError } }).receive(mention('hi'));
  expect(status).toBe(200);
  expect(body).toContain('Something went wrong');
  expect(onError).toHaveBeenCalledOnce();
});

test('every delivery and refusal is reported', async () => {
  const reports: DeliveryReport[] = [];
  const bot = makeBot()
    .on('mention', () => 'hello')
    .command('quiet', () => {})
    .command('fail', () => {
      throw new Error('fails');
    });
  const hooks = { onError: () => {}, onDelivery: (report: DeliveryReport) => reports.push(report) };
  const { receive, refuse } = receiver([bot], { hooks });
  await receive(mention('hi'));
  await receive(directMessage('quiet'));
  await receive(mention('fail'));
  await receive({ ...mention('hi'), token: 'wrong' });
  await receive({});
  refuse(413);
  const about = { bot_email: 'echo-bot@chat.test', message_id: 91, status: 200 };
  const duration_ms = expect.any(Number);
  expect(reports).toEqual([
    { ...about, outcome: 'replied', trigger: 'mention', duration_ms },
    { ...about, outcome: 'silent', trigger: 'direct_message', duration_ms },
    { ...about, outcome: 'failed', trigger: 'mention', duration_ms },
    { outcome: 'refused', status: 401 },
    { outcome: 'refused', status: 400 },
    { outcome: 'refused', status: 413 },
  ]);
});

test('a hook that fails disturbs nothing', async () => {
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
    const { status } = await receiver([bot], { hooks }).receive(mention('hi'));
    expect(status).toBe(200);
    expect(written.mock.calls.map(([line]) => JSON.parse(String(line)).msg)).toEqual([
      'hook failed',
      'hook failed',
    ]);
  } finally {
    written.mockRestore();
  }
});

test('one bot’s failure is not another’s', async () => {
  const bad = createBot({ email: 'bad-bot@chat.test', token: 'bad' }).fallback(() => {
    throw new Error('bad');
  });
  const good = makeBot().fallback((ctx) => ctx.text);
  const { receive } = receiver([bad, good], { hooks: { onError: () => {} } });
  const toBad = receive({ ...mention('hi'), bot_email: 'bad-bot@chat.test', token: 'bad' });
  expect((await toBad).body).toContain('Something went wrong');
  expect((await receive(mention('hi'))).body).toBe('{"content":"hi"}');
});
