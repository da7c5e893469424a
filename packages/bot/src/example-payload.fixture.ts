/** Payloads as a server sends them, for the tests: to echo-bot@chat.test, with the token `genuine`. */
const shared = {
  bot_email: 'echo-bot@chat.test',
  bot_full_name: 'Echo Bot',
  token: 'genuine',
};

let lastId = 90;

/** A new id for each payload: a repeated id is a repeated delivery. */
const nextId = () => ++lastId;

const message = {
  content_type: 'text/x-markdown',
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
};

export function mention(content: string) {
  return {
    ...shared,
    data: content,
    trigger: 'mention',
    message: {
      ...message,
      id: nextId(),
      type: 'stream',
      stream_id: 3,
      display_recipient: 'ops',
      subject: 'releases',
      content,
      rendered_content: `<p>${content}</p>`,
    },
  };
}

export function directMessage(content: string) {
  return {
    ...shared,
    data: content,
    trigger: 'direct_message',
    message: {
      ...message,
      id: nextId(),
      type: 'private',
      display_recipient: [
        { id: 7, email: 'iago@chat.test', full_name: 'Iago', is_mirror_dummy: false },
        { id: 9, email: 'echo-bot@chat.test', full_name: 'Echo Bot', is_mirror_dummy: false },
      ],
      subject: '',
      content,
      rendered_content: `<p>${content}</p>`,
    },
  };
}

/** A channel message in the Slack-compatible form. */
export const slackForm = {
  token: 'genuine',
  team_id: 'T1',
  team_domain: 'chat.test',
  channel_id: 'C3',
  channel_name: 'ops',
  thread_ts: '1790000000',
  timestamp: '1790000000',
  user_id: 'U7',
  user_name: 'Iago',
  text: '@**Echo Bot** hi',
  trigger_word: 'mention',
  service_id: '9',
};
