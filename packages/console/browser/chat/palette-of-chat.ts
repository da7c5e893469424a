import { type InitialState, visibilityPolicies } from '@bellhop/protocol';

import type { IconName } from '../../src/icon-names.ts';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { go, href, path } from '../navigation/location.ts';
import { mayCreateChannels } from '../organization/channels/channels-of.ts';
import { rightsOf } from '../organization/rights.ts';
import { type PaletteItem, usePaletteItems } from '../shell/palette-items.ts';
import { conversationActions } from './conversation-actions.ts';
import { type ChatDialog, openDialog } from './dialogs/opened-dialog.ts';
import { directConversations } from './direct-conversations.ts';
import { HOME, homeNames } from './home/home-names.ts';
import { hrefOf } from './href-of.ts';
import { laterHref } from './later-href.ts';
import { markAllRead } from './mark-all-read.ts';
import { nameOfChannel, topicName } from './names.ts';
import { openChannel } from './open-channel.ts';
import { savedViews } from './saved-views.ts';
import { searchMessages } from './search-messages.ts';
import { topicKey } from './unread.ts';
import type { View } from './view.ts';

interface ChatPaletteProps {
  readonly account: LiveAccount;
  readonly view: View | undefined;
}

/** Offers in the palette what one can do with the conversation on the page. */
export function ChatPalette({ account, view }: ChatPaletteProps) {
  usePaletteItems(
    () =>
      view
        ? conversationActions(account, view).map(({ icon, label, run }) => action(icon, label, run))
        : [],
    [account, view],
  );
  return null;
}

/** What the palette offers of Chat: the views, channels, topics and people of an account, and what one can begin. */
export function chatItems(account: LiveAccount): readonly PaletteItem[] {
  const { state, user_id } = account;
  const known = state.peek();
  if (!known) return [];
  const channels = (known.subscriptions ?? []).map(({ stream_id, name }): PaletteItem => ({
    title: name,
    kind: 'Channel',
    icon: 'hash',
    run: () => void openChannel(account, stream_id),
  }));
  const people = directConversations(known, user_id).map(({ users, name }): PaletteItem => ({
    title: name,
    kind: 'Direct messages',
    icon: 'user',
    run: () => go(hrefOf({ kind: 'direct', users })),
  }));
  const saved = savedViews(known).map(({ name, view }): PaletteItem => ({
    title: name,
    kind: 'Saved view',
    icon: 'bookmark',
    run: () => go(hrefOf(view)),
  }));
  const markRead: PaletteItem = {
    title: 'Mark all as read',
    kind: 'Action',
    icon: 'check-check',
    run: () => void markAllRead(account, { kind: 'all' }).catch(toastError),
  };
  const topics = topicsOf(known).map(([channel, topic]): PaletteItem => ({
    title: topicName(topic),
    kind: `Topic in #${nameOfChannel(known, channel)}`,
    icon: 'hash',
    run: () => go(hrefOf({ kind: 'topic', channel, topic })),
  }));
  const search: PaletteItem = {
    title: 'Search messages for',
    kind: 'Action',
    icon: 'search',
    takesWords: true,
    run: (words) => void searchMessages(account, words).catch(toastError),
  };
  return [
    ...viewsOf(account),
    ...actionsOf(account, known),
    ...saved,
    ...channels,
    ...topics,
    ...people,
    markRead,
    search,
  ];
}

/** The topics that the user has unread messages in, or follows. */
function topicsOf(state: InitialState): readonly (readonly [number, string])[] {
  const unread = state.unread_msgs?.streams ?? [];
  const followed = (state.user_topics ?? []).filter(
    ({ visibility_policy }) => visibility_policy === visibilityPolicies.followed,
  );
  const all = [
    ...unread.map(({ stream_id, topic }) => [stream_id, topic] as const),
    ...followed.map(({ stream_id, topic_name }) => [stream_id, topic_name] as const),
  ];
  return [...new Map(all.map((one) => [topicKey(...one), one])).values()];
}

/** The collections, and the home view. */
function viewsOf(account: LiveAccount): readonly PaletteItem[] {
  const home = homeNames[userSetting(account, 'web_home_view')];
  const view = (icon: IconName, title: string, to: string): PaletteItem => ({
    title,
    kind: 'View',
    icon,
    run: () => go(to),
  });
  return [
    ...(home === undefined ? [] : [view('mail', home, href(['chat', HOME]))]),
    view('inbox', 'All messages', hrefOf({ kind: 'all' })),
    view('at-sign', 'Mentions', hrefOf({ kind: 'mentions' })),
    view('star', 'Starred', hrefOf({ kind: 'starred' })),
  ];
}

const action = (icon: IconName, title: string, run: () => void): PaletteItem => ({
  title,
  kind: 'Action',
  icon,
  run,
});

/** What one can begin in Chat. Its dialogs are there. */
function actionsOf(account: LiveAccount, state: InitialState): readonly PaletteItem[] {
  const open = (dialog: ChatDialog) => () => {
    if (path.peek()[0] !== 'chat') go(href(['chat']));
    openDialog(account, dialog);
  };
  return [
    action('search', 'Browse channels', open({ kind: 'channels' })),
    ...(mayCreateChannels(rightsOf(state, account.user_id))
      ? [action('plus', 'Create channel', open({ kind: 'new-channel' }))]
      : []),
    action('user-plus', 'New conversation', open({ kind: 'new-conversation' })),
    action('pencil', 'Drafts', () => go(laterHref('drafts'))),
    action('clock', 'Scheduled messages', () => go(laterHref('scheduled'))),
    action('alarm-clock', 'Reminders', () => go(laterHref('reminders'))),
    action('message-square-text', 'Saved snippets', () => go(laterHref('snippets'))),
  ];
}
