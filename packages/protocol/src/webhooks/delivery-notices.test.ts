import { expect, test } from 'vitest';

import { failureNotices, isWaitNoticeDue, ownerNotice } from './delivery-notices.ts';
import { failedCall } from './delivery-result.ts';

test('the conversation hears that a bot is unavailable, its owner why', () => {
  expect(failureNotices(failedCall('timeout'))).toEqual({
    here: 'Failure! The bot is unavailable.',
    forOwner: 'All attempts failed. The endpoint did not answer in time.',
  });
});

test('a fault that would stay has the same sentence for all', () => {
  expect(failureNotices(failedCall('not_json'))).toEqual({
    here: 'Failure! The answer of the endpoint is not valid JSON.',
    forOwner: 'The answer of the endpoint is not valid JSON.',
  });
});

test('a conversation may be silent for 30 seconds', () => {
  expect(isWaitNoticeDue({ sentAt: 100, nextEndAt: 130 })).toBe(false);
  expect(isWaitNoticeDue({ sentAt: 100, nextEndAt: 130.1 })).toBe(true);
});

test('an owner sees the first 2000 characters of an answer, which cannot end their code block', () => {
  const notice = { bot: { id: 7, full_name: 'Bot' }, link: 'https://a.b/c', text: 'Why.' };
  const about = 'The delivery of [a message](https://a.b/c) to @_**Bot|7** failed. Why.';
  expect(ownerNotice({ ...notice, excerpt: ' ' })).toBe(about);
  expect(ownerNotice({ ...notice, excerpt: '```\nx' })).toBe(
    `${about}\n\n\`\`\`\`\n\`\`\`\nx\n\`\`\`\``,
  );
  expect(ownerNotice({ ...notice, excerpt: 'y'.repeat(3000) })).toHaveLength(
    about.length + 2000 + 10,
  );
});
