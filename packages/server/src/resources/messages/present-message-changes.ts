import { shownTopic } from '@bellhop/protocol';

import type { Present, Reader } from '../../engine/stored-event.ts';

/** An edit or a move for one queue: the reader's own flags, topics as the client knows them. */
export const presentUpdateMessage: Present = ({ payload, personal }, reader) => [
  {
    ...withTopics(payload, reader, ['orig_subject', 'subject']),
    ...personal?.users?.[reader.user_id],
  },
];

/** A deletion for one queue: all at once, or one by one for clients that know no better. */
export const presentDeleteMessage: Present = ({ payload, personal }, reader) => {
  // Hears all public channels, and is in the private one that the messages went to.
  if (personal?.users?.[reader.user_id]) return [];
  const { message_ids, ...shown } = withTopics(payload, reader, ['topic']);
  const ids = message_ids as readonly number[];
  return reader.registration.capabilities.bulk_message_deletion
    ? [{ ...shown, message_ids: ids }]
    : ids.map((message_id) => ({ ...shown, message_id }));
};

type Payload = Readonly<Record<string, unknown>>;

function withTopics(payload: Payload, { registration }: Reader, keys: readonly string[]): Payload {
  const topics = keys.flatMap((key) => {
    const topic = payload[key];
    if (typeof topic !== 'string') return [];
    return [[key, shownTopic(topic, registration.capabilities.empty_topic_name)]];
  });
  return { ...payload, ...Object.fromEntries(topics) };
}
