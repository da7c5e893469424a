import { type InitialState, type VisibilityPolicy, visibilityPolicies } from '@bellhop/protocol';

import type { IconName } from '../../src/icon-names.ts';
import { toast, toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { channelRights } from '../organization/channels/channels-of.ts';
import { rightsOf } from '../organization/rights.ts';
import { openDialog } from './dialogs/opened-dialog.ts';
import { channelOf, nameOfUser } from './names.ts';
import { policyOf } from './topic-policy.ts';
import type { View } from './view.ts';

/** An entry of the menu of a conversation, and of the palette. */
export interface ConversationAction {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
}

/** What the user can do with the conversation of a view. */
export function conversationActions(
  account: LiveAccount,
  view: View,
): readonly ConversationAction[] {
  const state = account.state.value;
  if (!state) return [];
  switch (view.kind) {
    case 'topic':
      return [
        ...topicActions(account, state, view),
        ...channelActions(account, state, view.channel),
      ];
    case 'channel':
      return channelActions(account, state, view.channel);
    case 'direct':
      return directActions(account, state, view.users);
    default:
      return [];
  }
}

const failing = (call: Promise<unknown>) => void call.catch(toastError);

function topicActions(
  { client }: LiveAccount,
  state: InitialState,
  { channel, topic }: Extract<View, { kind: 'topic' }>,
): readonly ConversationAction[] {
  const policy = policyOf(state, channel, topic);
  const subscription = state.subscriptions?.find(({ stream_id }) => stream_id === channel);
  if (!subscription) return [];
  const set = (visibility_policy: VisibilityPolicy) => () =>
    failing(client.userTopics.set({ stream_id: channel as never, topic, visibility_policy }));
  const isFollowed = policy === visibilityPolicies.followed;
  const isMuted =
    policy === visibilityPolicies.muted ||
    (policy === visibilityPolicies.inherit && subscription.is_muted);
  // In a muted channel a topic without a policy of its own is muted.
  const shown = subscription.is_muted ? visibilityPolicies.unmuted : visibilityPolicies.inherit;
  return [
    {
      icon: 'bell',
      label: isFollowed ? 'Unfollow topic' : 'Follow topic',
      run: set(isFollowed ? visibilityPolicies.inherit : visibilityPolicies.followed),
    },
    {
      icon: isMuted ? 'bell' : 'bell-off',
      label: isMuted ? 'Unmute topic' : 'Mute topic',
      run: set(isMuted ? shown : visibilityPolicies.muted),
    },
  ];
}

/** Joins a channel that the user is not subscribed to, if they may. */
export function joinAction(account: LiveAccount, channel: number): readonly ConversationAction[] {
  const { client, state, user_id } = account;
  const known = state.value && channelOf(state.value, channel);
  if (!state.value || !known || 'pin_to_top' in known) return [];
  const reader = { account, state: state.value, rights: rightsOf(state.value, user_id) };
  if (!channelRights(reader, known).subscribes) return [];
  const { name } = known;
  const run = () => failing(client.subscriptions.add({ subscriptions: [{ name }] }));
  return [{ icon: 'log-in', label: 'Join channel', run }];
}

function channelActions(
  account: LiveAccount,
  state: InitialState,
  channel: number,
): readonly ConversationAction[] {
  const { client } = account;
  if (!channelOf(state, channel)) return [];
  const settings: ConversationAction = {
    icon: 'settings',
    label: 'Channel settings',
    run: () => go(href(['organization', 'channels', String(channel)])),
  };
  const own = state.subscriptions?.find(({ stream_id }) => stream_id === channel);
  if (!own) return [...joinAction(account, channel), settings];
  const { name, is_muted, pin_to_top, invite_only, stream_id } = own;
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) => () =>
    failing(
      client.subscriptions.setProperties({ subscription_data: [{ stream_id, property, value }] }),
    );
  const leave = async () => {
    await client.subscriptions.remove({ subscriptions: [name] });
    const join = () => failing(client.subscriptions.add({ subscriptions: [{ name }] }));
    toast(`You left #${name}.`, { label: 'Undo', run: join });
  };
  // Nobody joins a private channel again without being added.
  const ask = () => openDialog(account, { kind: 'leave', channel });
  return [
    {
      icon: is_muted ? 'bell' : 'bell-off',
      label: is_muted ? 'Unmute channel' : 'Mute channel',
      run: set('is_muted', !is_muted),
    },
    {
      icon: 'pin',
      label: pin_to_top ? 'Unpin channel' : 'Pin channel to the top',
      run: set('pin_to_top', !pin_to_top),
    },
    settings,
    { icon: 'log-out', label: 'Leave channel', run: invite_only ? ask : () => failing(leave()) },
  ];
}

function directActions(
  account: LiveAccount,
  state: InitialState,
  users: readonly number[],
): readonly ConversationAction[] {
  const others = users.filter((id) => id !== account.user_id);
  return [
    ...others.map((user_id): ConversationAction => ({
      icon: 'user',
      label: `Profile of ${nameOfUser(state, user_id)}`,
      run: () => openDialog(account, { kind: 'person', user_id }),
    })),
    {
      icon: 'user-plus',
      label: 'New conversation with more people',
      run: () => openDialog(account, { kind: 'new-conversation', users: others }),
    },
  ];
}
