import { FetchedMessage } from '@bellhop/protocol';

/** A message of user 7 in the topic `news` of channel 5. */
export const message = (id: number, changes: object = {}): FetchedMessage =>
  FetchedMessage.parse({
    id,
    type: 'stream',
    stream_id: 5,
    subject: 'news',
    content: `<p>message ${id}</p>`,
    content_type: 'text/html',
    sender_id: 7,
    sender_email: 'ada@x.org',
    sender_full_name: 'Ada Lovelace',
    sender_realm_str: '',
    avatar_url: null,
    client: 'website',
    display_recipient: 'general',
    recipient_id: 50,
    timestamp: id,
    is_me_message: false,
    reactions: [],
    submessages: [],
    topic_links: [],
    flags: ['read'],
    ...changes,
  });

/** The event of a new message. */
export function messageEvent(id: number, changes: object = {}, more: object = {}) {
  const { flags, ...rest } = message(id, changes);
  return { type: 'message', message: rest, flags, ...more };
}
