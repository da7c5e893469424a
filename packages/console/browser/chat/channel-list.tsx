import type { InitialState } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { ChannelTopics } from './channel-topics.tsx';
import { Link } from './link.tsx';
import { listedChannels } from './listed-channels.ts';
import { channelViews, openChannel } from './open-channel.ts';
import type { Unread } from './unread.ts';
import type { View } from './view.ts';

interface ChannelListProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly view: View | undefined;
  readonly unread: Unread;
  readonly isShown: (view: View) => boolean;
}

/** The messages that a channel counts: of all channels and topics, of those that are not muted, or none. */
const ALL = 1;
const UNMUTED = 2;

/** The channels that the user has subscribed to, in groups; the open one with its topics. */
export function ChannelList({ account, state, view, unread, isShown }: ChannelListProps) {
  const counted = userSetting(account, 'web_stream_unreads_count_display_policy');
  const opens = userSetting(account, 'web_channel_default_view');
  const countOf = (channel: number) => {
    if (counted === ALL) return unread.of({ kind: 'channel', channel });
    return counted === UNMUTED ? unread.byChannel.get(channel) : 0;
  };
  return (
    <>
      {listedChannels(state, 'web_left_sidebar_show_channel_folders').map(({ title, channels }) => (
        <section key={title} aria-label={title}>
          {title !== undefined && <h3>{title}</h3>}
          <ul role="list">
            {channels.map(({ stream_id, name, invite_only, is_muted }) => {
              const isOpen =
                (view?.kind === 'channel' || view?.kind === 'topic') && view.channel === stream_id;
              return (
                <li key={stream_id} class={is_muted ? 'muted-entry' : ''}>
                  <Link
                    onOpen={() => void openChannel(account, stream_id)}
                    view={{ kind: 'channel', channel: stream_id }}
                    isShown={isShown}
                    icon={invite_only ? 'lock' : 'hash'}
                    count={isOpen ? 0 : countOf(stream_id)}
                  >
                    {name}
                  </Link>
                  {isOpen && opens !== channelViews.feed && (
                    <ul role="list" class="topics">
                      <li>
                        <Link view={{ kind: 'channel', channel: stream_id }} isShown={isShown}>
                          All topics
                        </Link>
                      </li>
                    </ul>
                  )}
                  {isOpen && (
                    <ChannelTopics account={account} channel={stream_id} isShown={isShown} />
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
}
