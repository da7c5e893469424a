import { describe, expect, test } from 'vitest';

import { completionOf } from './completion.ts';

const state = {
  realm_users: [
    { user_id: 1, full_name: 'Ada Lovelace', is_bot: false, email: 'ada@x.org' },
    { user_id: 2, full_name: 'Echo Bot', is_bot: true, email: 'echo@x.org' },
    { user_id: 3, full_name: 'Echo Bot', is_bot: true, email: 'echo2@x.org' },
  ],
  subscriptions: [{ stream_id: 5, name: 'on call', description: 'who is awake' }],
  realm_emoji: { 7: { id: '7', name: 'party_bell', deactivated: false } },
} as never;
const inserted = (before: string) =>
  completionOf(state, before)?.suggestions.map(({ insert }) => insert);

describe('completion', () => {
  test.each([
    ['@lov', ['@**Ada Lovelace** ']],
    ['Hello @echo', ['@**Echo Bot|2** ', '@**Echo Bot|3** ']],
    ['see #on', ['#**on call** ']],
    ['@ＬＯＶ', ['@**Ada Lovelace** ']],
    ['nice :par', [':party_bell: ']],
  ])('of %j offers %j', (before, expected) => {
    expect(inserted(before)).toEqual(expected);
  });

  test.each(['ada@lov', 'http://x', 'at 10:pa', 'plain text', ':p'])(
    'of %j offers nothing',
    (before) => {
      expect(inserted(before)).toBeUndefined();
    },
  );

  test('replaces the typed text from the @, # or : on', () => {
    expect(completionOf(state, 'Hello @lov')?.from).toBe(6);
  });
});
