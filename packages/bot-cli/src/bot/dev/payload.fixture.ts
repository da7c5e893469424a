/** Payloads of an outgoing webhook, each a new message to echo-bot@chat.test. */
let lastId = 90;

const bot = { bot_email: 'echo-bot@chat.test', bot_full_name: 'Echo Bot', token: 'genuine' };

const messageOf = (content: string) => ({
  id: ++lastId,
  content,
  rendered_content: `<p>${content}</p>`,
  sender_id: 7,
  sender_email: 'iago@chat.test',
  sender_full_name: 'Iago',
  timestamp: 1_790_000_000,
});

export const mention = (content: string) => ({
  ...bot,
  data: content,
  trigger: 'mention',
  message: {
    ...messageOf(content),
    type: 'stream',
    stream_id: 3,
    display_recipient: 'ops',
    subject: 'releases',
  },
});

export const directMessage = (content: string) => ({
  ...bot,
  data: content,
  trigger: 'direct_message',
  message: {
    ...messageOf(content),
    type: 'private',
    display_recipient: [
      { id: 7, email: 'iago@chat.test', full_name: 'Iago' },
      { id: 9, email: 'echo-bot@chat.test', full_name: 'Echo Bot' },
    ],
    subject: '',
  },
});
