import type { ChannelId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { TypingNotice } from './typing-notice.ts';

const conversation = { type: 'channel', channelId: 3 as ChannelId, topic: 'releases' } as const;

function notice() {
  const told: string[] = [];
  const rest = {
    async typing(_conversation: unknown, op: 'start' | 'stop') {
      told.push(op);
      throw new Error('the API fails');
    },
  };
  return { told, typing: new TypingNotice({ rest, conversation }) };
}

test('a typing notice starts after one second, repeats every ten and stops', () => {
  const { told, typing } = notice();
  const shownAt = [];
  for (let age = 0; age <= 22_000; age += 100) {
    const before = told.length;
    typing.show(age);
    if (told.length > before) shownAt.push(age);
  }
  typing.stop();
  expect(shownAt).toEqual([1000, 11_000, 21_000]);
  expect(told).toEqual(['start', 'start', 'start', 'stop']);
});

test('a handler that ends within a second sends no typing notice', () => {
  const { told, typing } = notice();
  typing.show(500);
  typing.stop();
  expect(told).toEqual([]);
});
