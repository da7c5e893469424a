import type { InitialState } from '@bellhop/protocol';

import { channelOf } from '../names.ts';

/** Whether a message to a channel may have no topic (`optional`), must have one, or can have none. */
export type TopicRule = 'optional' | 'required' | 'none';

type State = Parameters<typeof channelOf>[0] & Pick<InitialState, 'realm_topics_policy'>;

/** The rule of a channel, or of its organization. */
export function topicRuleOf(state: State, channel: number): TopicRule {
  const own = channelOf(state, channel)?.topics_policy ?? 'inherit';
  const policy = own === 'inherit' ? state.realm_topics_policy : own;
  if (policy === 'empty_topic_only') return 'none';
  return policy === 'disable_empty_topic' ? 'required' : 'optional';
}
