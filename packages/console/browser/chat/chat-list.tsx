import { Avatar } from '../controls/avatar.tsx';
import { IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { PopoverButton } from '../controls/menu.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { path } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import { ChannelTopics } from './channel-topics.tsx';
import { openDialog } from './dialogs/opened-dialog.ts';
import { directConversations } from './direct-conversations.ts';
import { laterHref, laterTabOf } from './later/later-href.ts';
import { Link, type LinkProps } from './link.tsx';
import { nameOfUser } from './names.ts';
import { PresenceDot } from './presence.tsx';
import { savedViews } from './saved-views.ts';
import { SearchField } from './search-field.tsx';
import { countUnread } from './unread.ts';
import { pathOf, type View } from './view.ts';

interface ChatListProps {
  readonly account: LiveAccount;
  readonly view: View | undefined;
}

const loadAddMenu = async () => (await import('./add-channels-menu.tsx')).AddChannelsMenu;

/** Views, channels with their topics, and direct messages, each with its number of unread messages. */
export function ChatList({ account, view }: ChatListProps) {
  const state = account.state.value;
  if (!state) return null;
  const unread = countUnread(state, account.user_id);
  const shown = view ? pathOf(view).join('/') : '';
  const isShown = (one: View) => pathOf(one).join('/') === shown;
  const waiting = (state.drafts?.length ?? 0) + (state.scheduled_messages?.length ?? 0);
  const saved = savedViews(state);
  const channels = (state.subscriptions ?? [])
    .filter(({ is_archived }) => !is_archived)
    .toSorted(
      (a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || a.name.localeCompare(b.name),
    );
  return (
    <div class="nav-list">
      <SearchField account={account} view={view} />
      <ul role="list">
        <Entry view={{ kind: 'all' }} isShown={isShown} icon="inbox" count={unread.total}>
          All messages
        </Entry>
        <Entry view={{ kind: 'mentions' }} isShown={isShown} icon="at-sign" count={unread.mentions}>
          Mentions
        </Entry>
        <Entry view={{ kind: 'starred' }} isShown={isShown} icon="star">
          Starred
        </Entry>
        <li>
          <a
            class="nav-entry"
            href={laterHref('drafts')}
            aria-current={laterTabOf(path.value.slice(1)) ? 'page' : undefined}
          >
            <Icon name="pencil" />
            <span class="grow clip">Drafts and later</span>
            {waiting > 0 && <span class="muted">{waiting}</span>}
          </a>
        </li>
      </ul>
      {saved.length > 0 && (
        <>
          <h2>Saved views</h2>
          <ul role="list">
            {saved.map(({ fragment, name, view: one }) => (
              <Entry
                key={fragment}
                view={one}
                isShown={isShown}
                icon="bookmark"
                count={unread.of(one)}
              >
                {name}
              </Entry>
            ))}
          </ul>
        </>
      )}
      <div class="nav-head">
        <h2>Channels</h2>
        <PopoverButton icon="plus" label="Add channels">
          <Lazy load={loadAddMenu} props={{ account }} />
        </PopoverButton>
      </div>
      <ul role="list">
        {channels.map(({ stream_id, name, invite_only, is_muted }) => {
          const isOpen =
            (view?.kind === 'channel' || view?.kind === 'topic') && view.channel === stream_id;
          return (
            <li key={stream_id} class={is_muted ? 'muted-entry' : ''}>
              <Link
                view={{ kind: 'channel', channel: stream_id }}
                isShown={isShown}
                icon={invite_only ? 'lock' : 'hash'}
                count={isOpen ? 0 : unread.byChannel.get(stream_id)}
              >
                {name}
              </Link>
              {isOpen && <ChannelTopics account={account} channel={stream_id} isShown={isShown} />}
            </li>
          );
        })}
      </ul>
      <div class="nav-head">
        <h2>Direct messages</h2>
        <IconButton
          icon="plus"
          label="New conversation"
          onClick={() => openDialog(account, { kind: 'new-conversation' })}
        />
      </div>
      <ul role="list">
        {directConversations(state, account.user_id).map(({ users, name }) => (
          <li key={users.join(',')}>
            <Link
              view={{ kind: 'direct', users }}
              isShown={isShown}
              picture={
                users.length > 1 ? (
                  <Icon name="users" />
                ) : (
                  <Avatar small name={nameOfUser(state, users[0] ?? 0)} id={users[0] ?? 0} />
                )
              }
              count={unread.byConversation.get(users.join(','))}
            >
              {name}
              {users.length === 1 && users[0] !== account.user_id && (
                <PresenceDot account={account} user_id={users[0] ?? 0} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Entry = (props: LinkProps) => (
  <li>
    <Link {...props} />
  </li>
);
