import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { type PaletteItem, usePaletteItems } from '../shell/palette-items.ts';
import { directConversations } from './direct-conversations.ts';
import { hrefOf } from './href-of.ts';
import { markAllRead } from './mark-all-read.ts';
import { savedViews } from './saved-views.ts';

/** Offers the channels and people of an account in the palette. */
export function useChatPalette(account: LiveAccount): void {
  usePaletteItems(() => itemsOf(account), [account]);
}

function itemsOf(account: LiveAccount): readonly PaletteItem[] {
  const { state, user_id } = account;
  const known = state.peek();
  if (!known) return [];
  const channels = (known.subscriptions ?? []).map(({ stream_id, name }): PaletteItem => ({
    title: name,
    kind: 'Channel',
    icon: 'hash',
    run: () => go(hrefOf({ kind: 'channel', channel: stream_id })),
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
  return [...saved, ...channels, ...people, markRead];
}
