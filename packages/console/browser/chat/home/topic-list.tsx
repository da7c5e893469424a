import type { LiveAccount } from '../../live/live-account.ts';
import { ChannelTopics } from '../channel-topics.tsx';
import { hrefOf } from '../href-of.ts';
import { nameOfChannel } from '../names.ts';

import './home.css';
import { HomeHead } from './home-head.tsx';

interface TopicListProps {
  readonly account: LiveAccount;
  readonly channel: number;
}

/** The topics of a channel, for people who begin in a channel with them. */
export function TopicList({ account, channel }: TopicListProps) {
  const state = account.state.value;
  if (!state) return null;
  const title = `#${nameOfChannel(state, channel)}`;
  return (
    <section class="home" aria-label={title}>
      <HomeHead title={title}>
        <a class="button" href={hrefOf({ kind: 'channel', channel })}>
          All messages
        </a>
      </HomeHead>
      <div class="home-group">
        <ChannelTopics account={account} channel={channel} isShown={() => false} />
      </div>
    </section>
  );
}
