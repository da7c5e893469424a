import type { InitialState } from '@bellhop/protocol';

import type { View } from './view.ts';

const collectionNames = { all: 'All messages', mentions: 'Mentions', starred: 'Starred' };

type State = Pick<
  InitialState,
  | 'realm_users'
  | 'realm_non_active_users'
  | 'cross_realm_bots'
  | 'subscriptions'
  | 'unsubscribed'
  | 'never_subscribed'
  | 'streams'
>;

/** A user of the organization, deactivated ones and system bots included. */
export function userOf(state: State, id: number) {
  const isWanted = ({ user_id }: { readonly user_id: number }) => user_id === id;
  return (
    state.realm_users?.find(isWanted) ??
    state.cross_realm_bots?.find(isWanted) ??
    state.realm_non_active_users?.find(isWanted)
  );
}

export const nameOfUser = (state: State, id: number): string =>
  userOf(state, id)?.full_name ?? 'Unknown user';

/** A channel that the user may see, with their settings if they are subscribed. */
export function channelOf(state: State, id: number) {
  const isWanted = ({ stream_id }: { readonly stream_id: number }) => stream_id === id;
  return state.subscriptions?.find(isWanted) ?? state.streams?.find(isWanted);
}

export const nameOfChannel = (state: State, id: number): string =>
  channelOf(state, id)?.name ?? 'Unknown channel';

/** Why a view has no messages and no message box: its channel or person is not there for this user. */
export function missingIn(state: State, view: View): string | undefined {
  if ('channel' in view && !channelOf(state, view.channel))
    return 'This channel does not exist, or you may not see it.';
  if (view.kind === 'direct' && view.users.some((id) => !userOf(state, id)))
    return 'This account does not exist, or you may not see it.';
  return undefined;
}

export const topicName = (topic: string): string => (topic === '' ? 'general chat' : topic);

/** The title of a conversation. */
export function titleOf(state: State, view: View, self: number): string {
  switch (view.kind) {
    case 'channel':
      return `#${nameOfChannel(state, view.channel)}`;
    case 'topic':
      return `#${nameOfChannel(state, view.channel)} > ${topicName(view.topic)}`;
    case 'direct':
      return view.users.length === 1 && view.users[0] === self
        ? 'Notes to yourself'
        : view.users.map((id) => nameOfUser(state, id)).join(', ');
    case 'search':
      return view.text;
    default:
      return collectionNames[view.kind];
  }
}
