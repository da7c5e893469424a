import { shownTopic } from '@bellhop/protocol';

import type { Presenter, Reader } from '../../engine/stored-event.ts';

/** Presents an edit or a move to a queue with the flags of its reader. */
export const presentUpdateMessage: Presenter = ({ payload, personal }, reader) => [
  {
    ...withTopics(payload, reader, ['orig_subject', 'subject']),
    ...personal?.users?.[reader.user_id],
  },
];

/**
 * Presents a deletion to a queue: as one event, or one per message to clients without bulk
 * deletion.
 */
export const presentDeleteMessage: Presenter = ({ payload, personal }, reader) => {
  // The reader listens to all public channels and can read the private channel the messages moved to.
  if (personal?.users?.[reader.user_id]) return [];
  const { message_ids, ...shown } = withTopics(payload, reader, ['topic']);
  const ids = message_ids as readonly number[];
  return reader.registration.capabilities.bulk_message_deletion
    ? [{ ...shown, message_ids: ids }]
    : ids.map((message_id) => ({ ...shown, message_id }));
};

/** Presents a changed flag. Messages that became unread show their topics as the client accepts them. */
export const presentUpdateMessageFlags: Presenter = ({ payload }, reader) => {
  const details = payload['message_details'];
  if (details === undefined) return [payload];
  const shown = Object.entries(details as Record<string, Payload>).map(([id, one]) => [
    id,
    withTopics(one, reader, ['topic']),
  ]);
  return [{ ...payload, message_details: Object.fromEntries(shown) }];
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
