import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { go, href } from '../navigation/location.ts';
import { hrefOf } from './href-of.ts';
import { topTopic } from './top-topic.ts';
import { countUnread, topicKey } from './unread.ts';

/** The values of the setting `web_channel_default_view`. */
export const channelViews = { topTopic: 1, feed: 2, topics: 3, topUnreadTopic: 4 } as const;

/** The name of the list of topics in its path. */
export const TOPICS = 'topics';

/** Opens a channel where the user wants to begin in it. */
export async function openChannel(account: LiveAccount, channel: number): Promise<void> {
  const chosen = userSetting(account, 'web_channel_default_view');
  const feed = hrefOf({ kind: 'channel', channel });
  if (chosen === channelViews.feed) return go(feed);
  if (chosen === channelViews.topics) return go(href(['chat', TOPICS, String(channel)]));
  try {
    const asked = { stream_id: channel as never, allow_empty_topic_name: true };
    const { topics } = await account.client.channels.topics(asked);
    const state = account.state.peek();
    const unread = state && countUnread(state, account.user_id).byTopic;
    const topic = topTopic(
      topics.map(({ name }) => name),
      (name) => chosen === channelViews.topTopic || (unread?.get(topicKey(channel, name)) ?? 0) > 0,
    );
    go(topic === undefined ? feed : hrefOf({ kind: 'topic', channel, topic }));
  } catch (error) {
    toastError(error);
    go(feed);
  }
}
