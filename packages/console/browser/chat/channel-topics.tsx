import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Link } from './link.tsx';
import { topicName } from './names.ts';
import { countUnread, topicKey } from './unread.ts';
import type { View } from './view.ts';

interface ChannelTopicsProps {
  readonly account: LiveAccount;
  readonly channel: number;
  readonly isShown: (view: View) => boolean;
}

/** The topics of a channel, the one with the newest message first. */
export function ChannelTopics({ account, channel, isShown }: ChannelTopicsProps) {
  const topics = useSignal<readonly { readonly name: string }[]>([]);
  const error = useSignal<unknown>(undefined);
  const load = () => {
    const params = { stream_id: channel as never, allow_empty_topic_name: true };
    account.client.channels.topics(params).then(
      (answer) => (topics.value = answer.topics),
      (problem: unknown) => (error.value = problem),
    );
  };
  useEffect(() => {
    load();
    return account.onEvent((event) => {
      const isHere =
        (event.type === 'message' && event.message.stream_id === channel) ||
        event.type === 'update_message' ||
        event.type === 'delete_message';
      if (isHere) load();
    });
  }, [account, channel, account.generation.value]);
  const state = account.state.value;
  if (!state) return null;
  const unread = countUnread(state, account.user_id);
  return (
    <ul role="list" class="topics">
      <ErrorNotice error={error.value} onRetry={load} />
      {topics.value.map(({ name }) => (
        <li key={name}>
          <Link
            view={{ kind: 'topic', channel, topic: name }}
            isShown={isShown}
            count={unread.byTopic.get(topicKey(channel, name))}
          >
            {topicName(name)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
