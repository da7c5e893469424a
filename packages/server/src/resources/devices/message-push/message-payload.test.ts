import { MAX_PUSH_BYTES, type UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { type MessageForPush, messagePayload } from './message-payload.ts';

test('the text of a push to a large group is cut to the size limit before 200 characters', () => {
  const user_ids = Array.from({ length: 280 }, (_, at) => 100_000 + at);
  const message = {
    realm: { url: 'http://chat.test', name: 'Chat' },
    row: { id: 1, channel_id: null, user_ids, sent_at: 1_800_000_000 },
    sender: {
      id: 100_000,
      full_name: 'Hamlet',
      avatar_source: 'U',
      avatar_version: 1,
      settings: {},
    },
    text: '🐈'.repeat(200),
  } as unknown as MessageForPush;
  const reader = { user_id: 100_001 as UserId, isSenderHidden: false, group: undefined };
  const payload = messagePayload(message, reader);
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  expect(bytes).toBeLessThanOrEqual(MAX_PUSH_BYTES);
  expect(bytes).toBeGreaterThan(MAX_PUSH_BYTES - 4);
  expect(payload.content).toMatch(/^🐈+…$/u);
});
