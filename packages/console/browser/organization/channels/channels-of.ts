import type { Channel, InitialState, Subscription } from '@bellhop/protocol';

import { isNamedBy } from '../groups/membership.ts';
import type { PageProps } from '../page.ts';
import type { Rights } from '../rights.ts';

export type AnyChannel = Channel | Subscription;

/** The channels that the reader sees, each once, in the order of their names. */
export function channelsOf(state: InitialState): readonly AnyChannel[] {
  const found = new Map<number, AnyChannel>();
  const lists = [state.subscriptions, state.unsubscribed, state.never_subscribed, state.streams];
  for (const list of lists)
    for (const channel of list ?? [])
      if (!found.has(channel.stream_id)) found.set(channel.stream_id, channel);
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

export const mayCreateChannels = ({ may, isGuest }: Rights): boolean =>
  !isGuest && (may('can_create_public_channel_group') || may('can_create_private_channel_group'));

type Reader = Pick<PageProps, 'account' | 'state' | 'rights'>;

/** The actions on a channel that the page offers. The server decides which it permits. */
export function channelRights({ account, state, rights }: Reader, channel: AnyChannel) {
  const isNamed = (value: unknown) => isNamedBy(state, value, account.user_id);
  const administers = rights.isAdmin || isNamed(channel.can_administer_channel_group);
  const isOpen = !channel.is_archived;
  return {
    administers,
    adds:
      isOpen &&
      (administers ||
        isNamed(channel.can_add_subscribers_group) ||
        rights.may('can_add_subscribers_group')),
    removes: isOpen && (administers || isNamed(channel.can_remove_subscribers_group)),
    subscribes:
      isOpen &&
      (channel.invite_only
        ? isNamed(channel.can_subscribe_group) || isNamed(channel.can_add_subscribers_group)
        : !rights.isGuest),
  };
}
