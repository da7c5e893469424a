import { z } from 'zod';

import { Name, TopicName } from '../values/fields.ts';
import { foldCase } from '../values/fold-case.ts';
import { ChannelId } from '../values/ids.ts';
import { MAX_NAME_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { Topic } from './messages/topic.ts';
import { visibilityPolicies } from './visibility-policies.ts';

const VisibilityPolicy = z
  .literal([0, 1, 2, 3])
  .meta({ description: '0 like the channel, 1 muted, 2 unmuted, 3 followed' });
export type VisibilityPolicy = z.output<typeof VisibilityPolicy>;

/** A topic with a policy of the user's own. */
const UserTopic = z
  .object({
    stream_id: ChannelId,
    topic_name: TopicName,
    /** UNIX time in seconds. */
    last_updated: z.int(),
    visibility_policy: VisibilityPolicy,
  })
  .meta({ id: 'UserTopic' });
export type UserTopic = z.output<typeof UserTopic>;

/** Channel name, topic, and the time of the change in UNIX seconds. */
const MutedTopic = z.tuple([z.string(), z.string(), z.int()]);

/** The policy of one of your topics changed. Policy 0 removes it from the list. */
export const UserTopicEvent = z.object({ type: z.literal('user_topic'), ...UserTopic.shape });

/** Your muted topics, for queues that do not request `user_topic`. */
export const MutedTopicsEvent = z.object({
  type: z.literal('muted_topics'),
  muted_topics: z.array(MutedTopic),
});

const state = {
  user_topic: section({ user_topics: z.array(UserTopic) }),
  /** Only sent if the fetch type `user_topic` was not requested. */
  muted_topics: section({ muted_topics: z.array(MutedTopic) }),
};
type UserTopicState = StateOf<typeof state>;

const keyOf = ({ topic_name }: UserTopic) => foldCase(topic_name);

/** The order of `user_topics`: by channel, then by topic. */
export const compareUserTopics = (one: UserTopic, other: UserTopic): number =>
  one.stream_id - other.stream_id ||
  (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0);

const applyUserTopic = (
  known: UserTopicState,
  { stream_id, topic_name, last_updated, visibility_policy }: z.output<typeof UserTopicEvent>,
): UserTopicState =>
  changed(known, 'user_topics', (topics) => {
    const topic = { stream_id, topic_name, last_updated, visibility_policy };
    const others = topics.filter((other) => compareUserTopics(other, topic) !== 0);
    return visibility_policy === visibilityPolicies.inherit
      ? others
      : [...others, topic].sort(compareUserTopics);
  });

const applyMutedTopics = (
  known: UserTopicState,
  { muted_topics }: z.output<typeof MutedTopicsEvent>,
): UserTopicState => changed(known, 'muted_topics', () => muted_topics);

export const userTopics = resource({
  endpoints: {
    set: endpoint('POST /user_topics', {
      summary: 'Mute, unmute or follow a topic',
      description: 'Overrides for you alone how the topic of a channel shows.',
      access: 'user',
      locks: 'realm',
      params: { stream_id: ChannelId, topic: Topic, visibility_policy: VisibilityPolicy },
      emits: [UserTopicEvent],
    }),

    mute: endpoint('PATCH /users/me/subscriptions/muted_topics', {
      summary: 'Mute a topic or stop muting it',
      description: 'The older form of `POST /user_topics`. Names the channel by name or by ID.',
      access: 'user',
      locks: 'realm',
      params: {
        stream: Name.max(MAX_NAME_LENGTH).optional(),
        stream_id: ChannelId.optional(),
        topic: Topic,
        op: z.enum(['add', 'remove']),
      },
      emits: [UserTopicEvent],
    }),
  },
  events: [event(UserTopicEvent, applyUserTopic), event(MutedTopicsEvent, applyMutedTopics)],
  state,
});
