import { type InitialState, initialUserSettings } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { inboxGroups } from './inbox-groups.ts';

const SELF = 1;
const channel = (stream_id: number, name: string, more: object = {}) => ({
  stream_id,
  name,
  is_archived: false,
  is_recently_active: true,
  is_muted: false,
  pin_to_top: false,
  folder_id: null,
  ...more,
});
const state = {
  realm_users: [
    { user_id: SELF, full_name: 'Max' },
    { user_id: 2, full_name: 'Olivia' },
  ],
  recent_private_conversations: [{ user_ids: [2], max_message_id: 9 }],
  subscriptions: [
    channel(5, 'general'),
    channel(6, 'deploys', { folder_id: 1 }),
    channel(7, 'noise', { is_muted: true }),
    channel(8, 'read'),
  ],
  channel_folders: [{ id: 1, name: 'Work', is_archived: false, order: 0 }],
  user_topics: [],
  user_settings: initialUserSettings,
  unread_msgs: {
    pms: [{ other_user_id: 2, unread_message_ids: [9] }],
    huddles: [],
    streams: [
      { stream_id: 5, topic: 'old', unread_message_ids: [1] },
      { stream_id: 5, topic: 'new', unread_message_ids: [3, 8] },
      { stream_id: 6, topic: '', unread_message_ids: [4] },
      { stream_id: 7, topic: 'any', unread_message_ids: [5] },
    ],
    mentions: [],
  },
} as unknown as InitialState;
const shown = (more: object = {}) =>
  inboxGroups({ ...state, ...more }, SELF).map(({ name, folder, rows }) => [
    name,
    folder,
    rows.map((row) => `${row.name} ${row.count}`),
  ]);

test('the inbox has what is unread by conversation, newest topics first, and nothing that is muted or read', () => {
  expect(shown()).toEqual([
    ['Direct messages', undefined, ['Olivia 1']],
    ['#general', undefined, ['new 2', 'old 1']],
    ['#deploys', 'Work', ['general chat 1']],
  ]);
});

test('the inbox has no folders if the user wants none', () => {
  const user_settings = { ...initialUserSettings, web_inbox_show_channel_folders: false };
  expect(shown({ user_settings }).map(([name, folder]) => [name, folder])).toEqual([
    ['Direct messages', undefined],
    ['#deploys', undefined],
    ['#general', undefined],
  ]);
});
