import { type InitialState, initialUserSettings, visibilityPolicies } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { countWaiting } from './count-waiting.ts';

const unread_msgs = {
  count: 9,
  pms: [{ other_user_id: 2, unread_message_ids: [1, 2] }],
  huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [3] }],
  streams: [
    { stream_id: 5, topic: 'Release', unread_message_ids: [4, 5] },
    { stream_id: 5, topic: 'lunch', unread_message_ids: [6, 7, 8, 9] },
  ],
  // One of them is a direct message, too.
  mentions: [1, 9],
  old_unreads_missing: false,
};
const user_topics = [
  { stream_id: 5, topic_name: 'release', visibility_policy: visibilityPolicies.followed },
];
const countedBy = (desktop_icon_count_display: number, unread: object | undefined = unread_msgs) =>
  countWaiting({
    unread_msgs: unread,
    user_topics,
    user_settings: { ...initialUserSettings, desktop_icon_count_display },
  } as unknown as InitialState);

test('the title counts all unread messages, or those of followed topics, of people and mentions, each once', () => {
  expect(countedBy(1)).toBe(9);
  expect(countedBy(2)).toBe(6);
  expect(countedBy(3)).toBe(4);
  expect(countedBy(4)).toBe(0);
});

test('nothing is counted before the server has answered', () => {
  expect(countWaiting({} as InitialState)).toBe(0);
});
