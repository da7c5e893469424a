import { type EventOf, shownTopic } from '@bellhop/protocol';

import { presentAsStored, type Presenter } from '../../engine/stored-event.ts';

type MutedTopics = EventOf<'muted_topics'>['muted_topics'];

/** With the muted topics after the change, for users for whom the topic was muted or is muted now. */
type StoredTopic = EventOf<'user_topic'> & { readonly muted_topics?: MutedTopics };

/** Presents a change of a topic, or to a queue that requests only `muted_topics` the list of them. */
export const presentUserTopic: Presenter = (stored, reader) => {
  const [presented] = presentAsStored(stored, reader);
  const { muted_topics, ...event } = presented as StoredTopic;
  const { registration } = reader;
  const { event_types, capabilities } = registration;
  const shown = (topic: string) => shownTopic(topic, capabilities.empty_topic_name);
  if (event_types === null || event_types.includes('user_topic'))
    return [{ ...event, topic_name: shown(event.topic_name) }];
  if (!muted_topics) return [];
  const rows = muted_topics.map(([channel, topic, at]) => [channel, shown(topic), at]);
  return [{ type: 'muted_topics', muted_topics: rows }];
};
