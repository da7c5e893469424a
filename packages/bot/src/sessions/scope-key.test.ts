import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type MessageOrigin, type Scope, scopeKey } from './scope-key.ts';

const origin: MessageOrigin = {
  botEmail: 'poll-bot@chat.test',
  conversation: '7:lunch',
  senderId: 9,
};

test.each<[Scope, string]>([
  ['conversation', 'session/poll-bot%40chat.test/conversation/7%3Alunch'],
  ['user', 'session/poll-bot%40chat.test/user/9'],
  ['user-in-conversation', 'session/poll-bot%40chat.test/user-in-conversation/7%3Alunch/9'],
  ['bot', 'session/poll-bot%40chat.test/bot'],
  [({ senderId }) => `team ${senderId % 2}`, 'session/poll-bot%40chat.test/own/team%201'],
])('scopeKey returns the key of the scope %s', (scope, key) => {
  expect(scopeKey('session', scope, origin)).toBe(key);
});

const origins = fc.record({
  botEmail: fc.string({ unit: 'binary' }),
  conversation: fc.string({ unit: 'binary', maxLength: 600 }),
  senderId: fc.nat(),
});

test('scope keys are valid store keys and differ for different origins', () => {
  fc.assert(
    fc.property(origins, origins, (one, other) => {
      const keys = [one, other].map((at) => scopeKey('session', 'user-in-conversation', at));
      for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,400}$/);
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(keys[0] === keys[1]).toBe(same);
    }),
  );
});

test('scope keys of long conversations with a common beginning differ', () => {
  const keys = ['a', 'b'].map((end) => {
    const conversation = `${'x'.repeat(500)}${end}`;
    return scopeKey('session', 'conversation', { ...origin, conversation });
  });
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys[0]?.length).toBeLessThanOrEqual(400);
});
