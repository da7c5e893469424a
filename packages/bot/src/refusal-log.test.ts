import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createBot } from './create-bot.ts';
import { mention } from './example-payload.fixture.ts';
import type { Hooks } from './hooks.ts';
import { receiver } from './receiver.ts';

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)) as Record<string, unknown>);
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const makeBot = () =>
  createBot({ email: 'echo-bot@chat.test', token: 'genuine' }).fallback(() => 'hi');

/** Delivers with these differences from a genuine delivery. */
function deliverer(hooks: Hooks = {}) {
  const { receive } = receiver([makeBot()], { hooks });
  return async (fields: object, signature?: string) => {
    const text = JSON.stringify({ ...mention('hi'), ...fields });
    const headers = { id: 'x', timestamp: String(Math.floor(Date.now() / 1000)), signature };
    return (await receive({ text, contentType: 'application/json', signature: headers })).status;
  };
}

test.each([
  ['a wrong token', { token: 'x' }, undefined, 'wrong_token', /BOT_TOKEN/],
  ['an unknown bot', { bot_email: 'b@c.d' }, undefined, 'unknown_bot', /BOT_EMAIL/],
  ['a wrong signature', {}, 'v1,eA==', 'wrong_signature', /proxies/],
] as const)(
  '%s is refused with 401, and the log says why',
  async (...[, fields, signed, reason, help]) => {
    expect(await deliverer()(fields, signed)).toBe(401);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'delivery refused with 401',
        reason,
        help: expect.stringMatching(help) as string,
        missed: 0,
      }),
    ]);
  },
);

test.each([
  ['compressed', { contentEncoding: 'gzip' }, 415, 'body_compressed', /content-encoding/],
  ['in another charset', { contentType: 'a/b; charset=latin1' }, 415, 'body_charset', /UTF-8/],
  ['not UTF-8', { text: Buffer.from([0xe9]) }, 400, 'body_not_utf8', /UTF-8/],
] as const)(
  'a body that is %s is refused, and the log says why',
  async (...[, sent, status, reason, help]) => {
    const signature = { id: undefined, timestamp: undefined, signature: undefined };
    const request = { text: '{}', contentType: undefined, signature, ...sent };
    expect((await receiver([makeBot()]).receive(request)).status).toBe(status);
    const msg = `delivery refused with ${status}`;
    expect(lines).toMatchObject([{ msg, reason, help: expect.stringMatching(help) as string }]);
    const onDelivery = vi.fn();
    await receiver([makeBot()], { hooks: { onDelivery } }).receive(request);
    expect(onDelivery).toHaveBeenCalledWith({ outcome: 'refused', status, reason });
  },
);

test('refusals have one line in ten seconds, which counts the others', async () => {
  const deliver = deliverer();
  for (let round = 0; round < 50; round += 1) await deliver({ token: 'x' });
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  await deliver({ bot_email: 'b@c.d' });
  expect(lines.slice(1)).toMatchObject([{ reason: 'unknown_bot', missed: 49 }]);
});

test('the log has no line about a refusal if a hook gets it', async () => {
  const onDelivery = vi.fn();
  await deliverer({ onDelivery })({ token: 'x' });
  expect(onDelivery).toHaveBeenCalledWith({
    outcome: 'refused',
    status: 401,
    reason: 'wrong_token',
  });
  expect(lines).toEqual([]);
});
