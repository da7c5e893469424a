import { type InitialState, initialUserSettings } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { listedChannels } from './listed-channels.ts';

const channel = (name: string, more: object = {}) => ({
  name,
  is_archived: false,
  is_recently_active: true,
  pin_to_top: false,
  folder_id: null,
  ...more,
});
const listed = (subscriptions: readonly object[], user_settings: object = {}) =>
  listedChannels(
    {
      subscriptions,
      channel_folders: [
        { id: 2, name: 'Work', is_archived: false, order: 1 },
        { id: 1, name: 'Fun', is_archived: false, order: 0 },
        { id: 3, name: 'Old', is_archived: true, order: 2 },
      ],
      user_settings: { ...initialUserSettings, ...user_settings },
    } as unknown as InitialState,
    'web_left_sidebar_show_channel_folders',
  ).map(({ title, channels }) => [title, channels.map(({ name }) => name)]);

test('pinned channels come first, then the others by name; archived ones are left out', () => {
  const all = [
    channel('b'),
    channel('a'),
    channel('z', { pin_to_top: true }),
    channel('gone', { is_archived: true }),
  ];
  expect(listed(all)).toEqual([[undefined, ['z', 'a', 'b']]]);
});

test('channels stand in their folders if the user wants that, pinned ones and those of an archived folder do not', () => {
  const all = [
    channel('deploys', { folder_id: 2 }),
    channel('games', { folder_id: 1 }),
    channel('pinned', { folder_id: 1, pin_to_top: true }),
    channel('general'),
    channel('past', { folder_id: 3 }),
  ];
  expect(listed(all)).toEqual([
    [undefined, ['pinned', 'general', 'past']],
    ['Fun', ['games']],
    ['Work', ['deploys']],
  ]);
  expect(listed(all, { web_left_sidebar_show_channel_folders: false })).toEqual([
    [undefined, ['pinned', 'deploys', 'games', 'general', 'past']],
  ]);
});

test('inactive channels come last always, in a long list, or never', () => {
  const few = [channel('quiet', { is_recently_active: false }), channel('busy')];
  const demoted = [undefined, ['busy']];
  expect(listed(few, { demote_inactive_streams: 2 })).toEqual([
    demoted,
    ['Inactive channels', ['quiet']],
  ]);
  expect(listed(few, { demote_inactive_streams: 1 })).toEqual([[undefined, ['busy', 'quiet']]]);
  const many = [...few, ...Array.from({ length: 28 }, (_, at) => channel(`c${at}`))];
  expect(listed(many, { demote_inactive_streams: 1 }).at(-1)).toEqual([
    'Inactive channels',
    ['quiet'],
  ]);
  expect(listed(many, { demote_inactive_streams: 3 })).toHaveLength(1);
});
