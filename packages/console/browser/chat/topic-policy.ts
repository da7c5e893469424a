import {
  foldCase,
  type InitialState,
  type VisibilityPolicy,
  visibilityPolicies,
} from '@bellhop/protocol';

/** How the user has set a topic to show; 0 like its channel. */
export const policyOf = (
  { user_topics = [] }: Pick<InitialState, 'user_topics'>,
  channel: number,
  topic: string,
): VisibilityPolicy =>
  user_topics.find(
    ({ stream_id, topic_name }) =>
      stream_id === channel && foldCase(topic_name) === foldCase(topic),
  )?.visibility_policy ?? visibilityPolicies.inherit;
