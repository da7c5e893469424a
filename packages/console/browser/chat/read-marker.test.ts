import { expect, test } from 'vitest';

import { marksRead } from './read-marker.ts';
import type { View } from './view.ts';

const views: readonly View[] = [
  { kind: 'topic', channel: 1, topic: 'a' },
  { kind: 'direct', users: [2] },
  { kind: 'channel', channel: 1 },
  { kind: 'all' },
  { kind: 'search', text: 'words' },
  { kind: 'mentions' },
];
const markedBy = (policy: 1 | 2 | 3) =>
  views.filter((view) => marksRead(view, policy)).map(({ kind }) => kind);

test('messages in sight are read in every conversation and feed, in conversations only, or never', () => {
  expect(markedBy(1)).toEqual(['topic', 'direct', 'channel', 'all']);
  expect(markedBy(2)).toEqual(['topic', 'direct']);
  expect(markedBy(3)).toEqual([]);
});
