import { expect, test } from 'vitest';

import { topTopic } from './top-topic.ts';

test('the newest topic is opened, the newest with unread messages, or the newest if all are read', () => {
  const names = ['today', 'yesterday', 'last week'];
  expect(topTopic(names, () => true)).toBe('today');
  expect(topTopic(names, (name) => name === 'yesterday')).toBe('yesterday');
  expect(topTopic(names, () => false)).toBe('today');
  expect(topTopic([], () => true)).toBeUndefined();
});

test('the topic without a name is a topic', () => {
  expect(topTopic(['', 'named'], () => true)).toBe('');
});
