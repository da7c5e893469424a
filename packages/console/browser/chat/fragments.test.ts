import { describe, expect, test } from 'vitest';

import { fragmentOf, viewOfFragment } from './fragments.ts';
import type { View } from './view.ts';

const state = { subscriptions: [{ stream_id: 5, name: 'on call' }] } as never;

describe('the fragment of a view', () => {
  test.each<[string, View]>([
    ['feed', { kind: 'all' }],
    ['narrow/is/mentioned', { kind: 'mentions' }],
    ['narrow/channel/5-on-call', { kind: 'channel', channel: 5 }],
    [
      'narrow/channel/5-on-call/topic/v2.2E4.20.2F.20a',
      { kind: 'topic', channel: 5, topic: 'v2.4 / a' },
    ],
    ['narrow/dm/3.2C8', { kind: 'direct', users: [3, 8] }],
    [
      'narrow/sender/max.40x.2Eorg/search/red.20fox',
      { kind: 'search', text: 'sender:max@x.org red fox' },
    ],
    ['narrow/-is/read/topic/a.20b', { kind: 'search', text: '-is:read topic:"a b"' }],
  ])('is %s, and leads back to the view', (fragment, view) => {
    expect(fragmentOf(view, state)).toBe(fragment);
    expect(viewOfFragment(fragment)).toEqual(view);
  });

  test.each(['inbox', 'narrow', 'narrow/is', 'drafts'])('%s is none of the console', (fragment) => {
    expect(viewOfFragment(fragment)).toBeUndefined();
  });

  test('a broken encoding is taken as it is', () => {
    expect(viewOfFragment('narrow/topic/100.zz')).toEqual({ kind: 'search', text: 'topic:100.zz' });
  });
});
