import type { InitialState } from '@bellhop/protocol';

import type { IconName } from '../../src/icon-names.ts';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { mayCreateChannels } from '../organization/channels/channels-of.ts';
import { rightsOf } from '../organization/rights.ts';
import { type PaletteItem, usePaletteItems } from '../shell/palette-items.ts';
import { conversationActions } from './conversation-actions.ts';
import { openDialog } from './dialogs/opened-dialog.ts';
import { directConversations } from './direct-conversations.ts';
import { hrefOf } from './href-of.ts';
import { laterHref } from './later-href.ts';
import { markAllRead } from './mark-all-read.ts';
import { openChannel } from './open-channel.ts';
import { savedViews } from './saved-views.ts';
import type { View } from './view.ts';

interface ChatPaletteProps {
  readonly account: LiveAccount;
  readonly view: View | undefined;
}

/** Offers in the palette the channels and people of an account, and what one can do in Chat. */
export function ChatPalette({ account, view }: ChatPaletteProps) {
  usePaletteItems(() => itemsOf(account, view), [account, view]);
  return null;
}

function itemsOf(account: LiveAccount, view: View | undefined): readonly PaletteItem[] {
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
  return [...actionsOf(account, known, view), ...saved, ...channels, ...people, markRead];
}

/** What one can do with the conversation on the page, and what one can begin. */
function actionsOf(
  account: LiveAccount,
  state: InitialState,
  view: View | undefined,
): readonly PaletteItem[] {
  const action = (icon: IconName, title: string, run: () => void): PaletteItem => ({
    title,
    kind: 'Action',
    icon,
    run,
  });
  const here = view ? conversationActions(account, view) : [];
  return [
    ...here.map(({ icon, label, run }) => action(icon, label, run)),
    action('search', 'Browse channels', () => openDialog(account, { kind: 'channels' })),
    ...(mayCreateChannels(rightsOf(state, account.user_id))
      ? [action('plus', 'Create channel', () => openDialog(account, { kind: 'new-channel' }))]
      : []),
    action('user-plus', 'New conversation', () =>
      openDialog(account, { kind: 'new-conversation' }),
    ),
    action('pencil', 'Drafts', () => go(laterHref('drafts'))),
    action('clock', 'Scheduled messages', () => go(laterHref('scheduled'))),
    action('alarm-clock', 'Reminders', () => go(laterHref('reminders'))),
    action('message-square-text', 'Saved snippets', () => go(laterHref('snippets'))),
  ];
}
