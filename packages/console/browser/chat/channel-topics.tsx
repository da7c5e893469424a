import { mutedTopicTest, visibilityPolicies } from '@bellhop/protocol';

import { ErrorNotice } from '../controls/error-notice.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { useResource } from '../loading/use-resource.ts';
import { Link } from './link.tsx';
import { topicName } from './names.ts';
import { policyOf } from './topic-policy.ts';
import { countUnread, topicKey } from './unread.ts';
import type { View } from './view.ts';

interface ChannelTopicsProps {
  readonly account: LiveAccount;
  readonly channel: number;
  readonly isShown: (view: View) => boolean;
}

/** The topics of a channel, the one with the newest message first. */
export function ChannelTopics({ account, channel, isShown }: ChannelTopicsProps) {
  const { value, error, refresh } = useResource(
    () =>
      account.client.channels.topics({
        stream_id: channel as never,
        allow_empty_topic_name: true,
      }),
    [channel],
    {
      account,
      on: (event) =>
        (event.type === 'message' && event.message.stream_id === channel) ||
        event.type === 'update_message' ||
        event.type === 'delete_message',
    },
  );
  const state = account.state.value;
  if (!state) return null;
  const isMuted = mutedTopicTest(state);
  const unread = countUnread(state, account.user_id);
  return (
    <ul role="list" class="topics">
      <ErrorNotice error={error} onRetry={refresh} />
      {value?.topics.map(({ name }) => (
        <li key={name} class={isMuted(channel, name) ? 'muted-entry' : ''}>
          <Link
            view={{ kind: 'topic', channel, topic: name }}
            isShown={isShown}
            count={unread.byTopic.get(topicKey(channel, name))}
          >
            {topicName(name)}
            {policyOf(state, channel, name) === visibilityPolicies.followed && (
              <span class="followed" title="You follow this topic">
                <Icon name="bell" />
                <span class="visually-hidden">, followed</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
