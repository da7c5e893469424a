import { Avatar } from '../controls/avatar.tsx';
import { IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { PopoverButton } from '../controls/menu.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { href, path } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import { ChannelList } from './channel-list.tsx';
import { openDialog } from './dialogs/opened-dialog.ts';
import { directConversations } from './direct-conversations.ts';
import { HOME, homeNames } from './home/home-names.ts';
import { laterHref, laterTabOf } from './later-href.ts';
import { Link, type LinkProps } from './link.tsx';
import { nameOfUser } from './names.ts';
import { PresenceDot } from './presence.tsx';
import { savedViews } from './saved-views.ts';
import { SearchField } from './search-field.tsx';
import { isSettingUp, SET_UP } from './set-up/is-setting-up.ts';
import { StatusText } from './status-text.tsx';
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
  const summed = userSetting(account, 'web_left_sidebar_unreads_count_summary');
  const starred = userSetting(account, 'starred_message_counts')
    ? (state.starred_messages?.length ?? 0)
    : 0;
  const home = homeNames[userSetting(account, 'web_home_view')];
  const [, page] = path.value;
  const style = userSetting(account, 'user_list_style');
  return (
    <div class="nav-list">
      <SearchField account={account} view={view} />
      <ul role="list">
        {isSettingUp(account) && (
          <li>
            <a
              class="nav-entry"
              href={href(['chat', SET_UP])}
              aria-current={page === SET_UP || page === undefined ? 'page' : undefined}
            >
              <Icon name="list-todo" />
              <span class="grow clip">Set up</span>
            </a>
          </li>
        )}
        {home !== undefined && (
          <li>
            <a
              class="nav-entry"
              href={href(['chat', HOME])}
              aria-current={
                page === HOME || (page === undefined && !isSettingUp(account)) ? 'page' : undefined
              }
            >
              <Icon name="mail" />
              <span class="grow clip">{home}</span>
            </a>
          </li>
        )}
        <Entry
          view={{ kind: 'all' }}
          isShown={isShown}
          icon="inbox"
          count={summed ? unread.total : 0}
        >
          All messages
        </Entry>
        <Entry
          view={{ kind: 'mentions' }}
          isShown={isShown}
          icon="at-sign"
          count={summed ? unread.mentions : 0}
        >
          Mentions
        </Entry>
        <Entry view={{ kind: 'starred' }} isShown={isShown} icon="star">
          Starred
          {starred > 0 && <span class="muted"> {starred}</span>}
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
      <ChannelList {...{ account, state, view, unread, isShown }} />
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
                  style === WITH_AVATAR && (
                    <Avatar small name={nameOfUser(state, users[0] ?? 0)} id={users[0] ?? 0} />
                  )
                )
              }
              count={unread.byConversation.get(users.join(','))}
            >
              {name}
              {users.length === 1 && users[0] !== account.user_id && (
                <PresenceDot account={account} user_id={users[0] ?? 0} />
              )}
              {users.length === 1 && style !== COMPACT && (
                <StatusText state={state} user_id={users[0] ?? 0} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The styles of the list of people. The one between them shows statuses without avatars. */
const COMPACT = 1;
const WITH_AVATAR = 3;

const Entry = (props: LinkProps) => (
  <li>
    <Link {...props} />
  </li>
);
