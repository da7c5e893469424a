import { expect, test } from 'vitest';

import { createBot } from './create-bot.ts';
import { mention } from './example-payload.fixture.ts';
import { type Receiver, receiver } from './receiver.ts';

const named = (email: string, token: string | readonly string[], name: string) =>
  createBot({ email, token }).fallback(() => name);
const one = named('One-Bot@chat.test', ['old', 'new'], 'one');
const two = named('two-bot@chat.test', 'two', 'two');

/** The name of the bot that answers a delivery with this address and token, or the status. */
async function answering({ receive }: Receiver, bot_email: string, token: string) {
  const signature = { id: undefined, timestamp: undefined, signature: undefined };
  const text = JSON.stringify({ ...mention('hi'), bot_email, token });
  const { status, body } = await receive({ text, contentType: 'application/json', signature });
  return status === 200 ? JSON.parse(body).content : status;
}

test('every token of a bot is accepted, a token of another bot is refused', async () => {
  const bots = receiver([one, two]);
  expect(await answering(bots, 'one-bot@chat.test', 'old')).toBe('one');
  expect(await answering(bots, 'ONE-bot@chat.test', 'new')).toBe('one');
  expect(await answering(bots, 'two-bot@chat.test', 'two')).toBe('two');
  expect(await answering(bots, 'two-bot@chat.test', 'old')).toBe(401);
  expect(await answering(bots, 'two-bot@chat.test', '')).toBe(401);
  for (const token of ['old ', 'old\0', 'ol', 'x'.repeat(300), 'é'.repeat(200)])
    expect(await answering(bots, 'one-bot@chat.test', token)).toBe(401);
  const longest = receiver([named('long-bot@chat.test', 'x'.repeat(255), 'long')]);
  expect(await answering(longest, 'long-bot@chat.test', 'x'.repeat(255))).toBe('long');
  expect(await answering(longest, 'long-bot@chat.test', 'x'.repeat(256))).toBe(401);
  expect(() => named('long-bot@chat.test', 'x'.repeat(256), 'long')).toThrow('255 characters');
});

test.each(['', '__proto__', 'three-bot@chat.test'])(
  'a delivery to the unknown address %j is refused',
  async (email) => {
    const bots = receiver([one, two]);
    expect(await answering(bots, email, 'old')).toBe(401);
    expect(await answering(bots, email, '')).toBe(401);
  },
);

test('receiver throws without bots and on two bots with one address', () => {
  expect(() => receiver([])).toThrow('at least one bot');
  expect(() => receiver([one, named('one-bot@CHAT.test', 'x', 'again')])).toThrow(
    'the same e-mail',
  );
});

test('an unknown address is resolved, and the token of the resolved bot is checked', async () => {
  const tenant = named('tenant-bot@chat.test', 'tenant', 'tenant');
  const resolved: string[] = [];
  const resolve = async (email: string) => {
    resolved.push(email);
    return email === tenant.email ? tenant : undefined;
  };
  const bots = receiver([one], { resolve });
  expect(await answering(bots, 'tenant-bot@chat.test', 'tenant')).toBe('tenant');
  expect(await answering(bots, 'tenant-bot@chat.test', 'wrong')).toBe(401);
  expect(await answering(bots, 'nobody@chat.test', 'tenant')).toBe(401);
  expect(await answering(bots, 'one-bot@chat.test', 'old')).toBe('one');
  expect(resolved).toEqual(['tenant-bot@chat.test', 'tenant-bot@chat.test', 'nobody@chat.test']);
});
