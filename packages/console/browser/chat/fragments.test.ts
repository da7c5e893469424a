import { describe, expect, test } from 'vitest';

import { fragmentOf, placeOfLink, viewOfFragment } from './fragments.ts';
import type { View } from './view.ts';

const topic = (name: string): View => ({ kind: 'topic', channel: 5, topic: name });
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

  test.each(['inbox', 'narrow', 'narrow/is', 'drafts'])(
    '%s is no view of the console',
    (fragment) => {
      expect(viewOfFragment(fragment)).toBeUndefined();
    },
  );

  test.each<[string, View, string | undefined]>([
    ['#narrow/channel/5-on-call/topic/v2.2E4/near/12', topic('v2.4'), '12'],
    ['#narrow/channel/5-on-call/topic/v2.2E4/with/12', topic('v2.4'), '12'],
    ['#narrow/dm/3,7,8-group/near/12', { kind: 'direct', users: [3, 8] }, '12'],
    ['#narrow/dm/7-dm/near/12', { kind: 'direct', users: [7] }, '12'],
    ['#feed', { kind: 'all' }, undefined],
  ])('the link %s leads user 7 to its conversation and message', (hash, view, near) => {
    expect(placeOfLink(hash, 7)).toEqual({ view, near });
  });

  test('a broken encoding is taken as it is', () => {
    expect(viewOfFragment('narrow/topic/100.zz')).toEqual({ kind: 'search', text: 'topic:100.zz' });
  });
});
