import { fetchHandler } from '@bellhop/bot';
import { expect, test } from 'vitest';

import { echo } from './bot.ts';

const answer = fetchHandler([echo({ email: 'echo-bot@chat.test', token: 'genuine' })]);

function tell(content: string) {
  const body = JSON.stringify({
    bot_email: 'echo-bot@chat.test',
    bot_full_name: 'Echo Bot',
    token: 'genuine',
    data: content,
    trigger: 'mention',
    message: {
      id: 91,
      type: 'stream',
      stream_id: 3,
      display_recipient: 'ops',
      subject: 'releases',
      content,
      content_type: 'text/x-markdown',
      rendered_content: `<p>${content}</p>`,
      sender_id: 7,
      sender_email: 'iago@chat.test',
      sender_full_name: 'Iago',
      sender_realm_str: 'chat',
      avatar_url: null,
      client: 'website',
      recipient_id: 12,
      timestamp: 1_790_000_000,
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
    },
  });
  return answer(new Request('http://bots.test/', { method: 'POST', body }));
}

test('it says back what it is told', async () => {
  const response = await tell('@**Echo Bot** hello there');
  expect(await response.json()).toEqual({ content: 'hello there' });
});

test('it says nothing to nothing', async () => {
  const response = await tell('@**Echo Bot**');
  expect(await response.json()).toEqual({ response_not_required: true });
});
