import {
  type ChannelId,
  type ClientCapabilities,
  type EventOf,
  shownTopic,
} from '@bellhop/protocol';

import { presentAsStored, type Presenter } from '../../engine/stored-event.ts';
import {
  isForClient,
  type ArchivedChannelsFilter,
} from '../../model/channels/archived-channels-filter.ts';
import type { MutedTopic, PolicyOfTopic } from '../../model/user-topics/queries.ts';

/** A change of one topic, or with `only` of the topics that `OwnTopics` lists for each user. */
type StoredTopic = { readonly type: 'user_topic'; readonly stream_id: ChannelId } & (
  | (PolicyOfTopic & { readonly only?: ArchivedChannelsFilter })
  | { readonly only: ArchivedChannelsFilter }
);
declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    user_topic: StoredTopic;
  }
}

/** What a user gets of the event besides its payload. */
export interface OwnTopics {
  readonly topics?: readonly PolicyOfTopic[];
  /** All muted topics after the change, if it changes them and the user has a queue for their list. */
  readonly muted_topics?: readonly Omit<MutedTopic, 'user_id'>[];
}

/** The list of muted topics for a client. */
export const mutedTopicsFor = (
  rows: readonly Omit<MutedTopic, 'user_id'>[],
  { archived_channels, empty_topic_name }: ClientCapabilities,
): EventOf<'muted_topics'>['muted_topics'] =>
  rows
    .filter(({ is_archived }) => archived_channels || !is_archived)
    .map(({ channel_name, topic, last_updated }) => [
      channel_name,
      shownTopic(topic, empty_topic_name),
      last_updated,
    ]);

/** Presents a change of topics, or to a queue that requests only `muted_topics` the list of them. */
export const presentUserTopic: Presenter = (stored, reader) => {
  const [presented] = presentAsStored(stored, reader);
  const { only, topics, muted_topics, ...event } = presented as StoredTopic & OwnTopics;
  if (!isForClient(only, reader)) return [];
  const { event_types, capabilities } = reader.registration;
  if (event_types === null || event_types.includes('user_topic'))
    return (topics ?? [event as EventOf<'user_topic'>]).map((topic) => ({
      ...event,
      ...topic,
      topic_name: shownTopic(topic.topic_name, capabilities.empty_topic_name),
    }));
  if (!muted_topics) return [];
  return [{ type: 'muted_topics', muted_topics: mutedTopicsFor(muted_topics, capabilities) }];
};
