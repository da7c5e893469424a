import { expect, test } from 'vitest';

import { topicRuleOf } from './topic-rule.ts';

test('a channel has a rule of its own about topics, or that of its organization', () => {
  const channels = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'];
  const subscriptions = channels.map((topics_policy, stream_id) => ({ stream_id, topics_policy }));
  const rules = (realm_topics_policy: string) =>
    channels.map((_, id) => topicRuleOf({ subscriptions, realm_topics_policy } as never, id));
  expect(rules('disable_empty_topic')).toEqual(['required', 'optional', 'required', 'none']);
  expect(rules('allow_empty_topic')).toEqual(['optional', 'optional', 'required', 'none']);
});
