import { MAX_PUSH_BYTES, type UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { type MessageForPush, messagePayload } from './message-payload.ts';

const message = (user_ids: readonly number[], text = 'hello') =>
  ({
    realm: { url: 'http://chat.test', name: 'Chat' },
    row: { id: 1, channel_id: null, user_ids, sent_at: 1_800_000_000 },
    sender: {
      id: 100_000,
      full_name: 'Hamlet',
      avatar_source: 'U',
      avatar_version: 1,
      settings: {},
    },
    text,
  }) as unknown as MessageForPush;
const reader = { user_id: 100_001 as UserId, isSenderHidden: false, group: undefined };
const participants = (count: number) => Array.from({ length: count }, (_, at) => 100_000 + at);

test.each(['account', 'token'] as const)(
  'the text of a push to a large group is cut to the size limit before 200 characters (%s)',
  (form) => {
    const large = message(participants(280), '🐈'.repeat(200));
    const payload = messagePayload(large, { ...reader, form });
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    expect(bytes).toBeLessThanOrEqual(MAX_PUSH_BYTES);
    expect(bytes).toBeGreaterThan(MAX_PUSH_BYTES - 4);
    expect(payload.content).toMatch(/^🐈+…$/u);
  },
);

test('a direct message names its participants for phones of either level', () => {
  const both = { recipient_user_ids: [5, 6, 10], pm_users: '5,6,10' };
  for (const form of ['account', 'token'] as const) {
    expect(messagePayload(message([10, 5, 6]), { ...reader, form })).toMatchObject(both);
    const ofTwo = messagePayload(message([10, 6]), { ...reader, form });
    expect(ofTwo).toMatchObject({ recipient_user_ids: [6, 10] });
    expect(ofTwo).not.toHaveProperty('pm_users');
    expect(messagePayload(message([6]), { ...reader, form })).toMatchObject({
      recipient_user_ids: [6],
    });
  }
});

test('where the participants do not fit twice, each phone gets those that it reads', () => {
  const large = message(participants(280));
  const ofAccount = messagePayload(large, { ...reader, form: 'account' });
  expect(ofAccount).toMatchObject({ pm_users: participants(280).join(',') });
  expect(ofAccount).not.toHaveProperty('recipient_user_ids');
  const ofToken = messagePayload(large, { ...reader, form: 'token' });
  expect(ofToken).toMatchObject({ recipient_user_ids: participants(280) });
  expect(ofToken).not.toHaveProperty('pm_users');
  const largest = message(participants(300));
  // Phones show nothing without the list: it is cut.
  expect(messagePayload(largest, { ...reader, form: 'token' })).toMatchObject({
    recipient_user_ids: participants(285),
  });
  expect(messagePayload(largest, { ...reader, form: 'account' })).not.toHaveProperty('pm_users');
});
