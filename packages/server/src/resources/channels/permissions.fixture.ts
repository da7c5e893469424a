import type { ChannelGroupSetting } from '@bellhop/protocol';

import type { Sample } from '../../contract.fixture.ts';
import {
  newChannel,
  newChannelName,
  type PermissionCase,
  type PermissionCases,
} from '../../permission-case.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

type Case = PermissionCases[string];

const creating =
  (params: Sample): Case =>
  async () => ({ sample: { name: newChannelName(), subscribers: '[]', ...params } });

/** Changes a channel that the caller administers. */
const changing =
  (params: Sample): Case =>
  async (chat, caller) => {
    const { id } = await newChannel(chat, caller, { grants: ['can_administer_channel_group'] });
    return { sample: { stream_id: String(id), ...params } };
  };

/** A request that names a channel of Desdemona, to which the caller is subscribed. */
const naming =
  (params: Sample = {}): Case =>
  async (chat, caller) => {
    const { id } = await newChannel(chat, caller);
    return { sample: { stream_id: String(id), ...params }, channel_id: id };
  };

/** The value of a setting: one user. */
const onlyCordelia = ({ people: { cordelia } }: TestChat) => ({
  direct_members: [cordelia.user.id],
  direct_subgroups: [],
});
const letDelete =
  (setting: ChannelGroupSetting, isNew: boolean): Case =>
  async (chat, caller) => {
    const value = onlyCordelia(chat);
    const text = JSON.stringify(isNew ? value : { new: value });
    return (isNew ? creating : changing)({ [setting]: text })(chat, caller);
  };

const withSpectators =
  (make: Case): Case =>
  async (chat, caller) => {
    await chat.people.desdemona.client.realms.update({ enable_spectator_access: true });
    return make(chat, caller);
  };

/** The permissions that new and changed channels require. */
const shared = (
  route: string,
  make: (params: Sample) => Case,
  privacy: string,
): PermissionCases => ({
  [`${route}: make a channel private`]: make({ [privacy]: 'true' }),
  [`${route}: make a channel web-public`]: withSpectators(make({ is_web_public: 'true' })),
  [`${route}: choose default channels`]: make({ is_default_stream: 'true' }),
  [`${route}: set how long messages are kept`]: make({ message_retention_days: '30' }),
  [`${route}: set the topics policy`]: make({ topics_policy: 'disable_empty_topic' }),
});

async function subscribing(
  chat: TestChat,
  caller: Person,
  options: { invite_only: boolean; isSubscribed: boolean },
): Promise<PermissionCase & { readonly name: string }> {
  const subscribers = options.isSubscribed ? [caller] : [];
  const { id, name } = await newChannel(chat, caller, { ...options, subscribers });
  return { name, channel_id: id, sample: { subscriptions: JSON.stringify([{ name }]) } };
}

/** Desdemona is subscribed to the channels that she creates. */
const isCreator = ({ people: { desdemona } }: TestChat, { user }: Person) =>
  user.id === desdemona.user.id;

const subscribeSelf =
  (invite_only: boolean): Case =>
  async (chat, caller) =>
    isCreator(chat, caller)
      ? undefined
      : subscribing(chat, caller, { invite_only, isSubscribed: false });

const updateSelf =
  (invite_only: boolean): Case =>
  async (chat, caller) => {
    if (isCreator(chat, caller)) return undefined;
    const { name, ...rest } = await subscribing(chat, caller, { invite_only, isSubscribed: false });
    return { ...rest, sample: { add: JSON.stringify([{ name }]) } };
  };

export const permissions: PermissionCases = {
  'POST /channels/create: create a public channel': creating({}),
  ...shared('POST /channels/create', creating, 'invite_only'),
  'POST /channels/create: let a group delete all messages': letDelete(
    'can_delete_any_message_group',
    true,
  ),
  'POST /channels/create: let a group delete its own messages': letDelete(
    'can_delete_own_message_group',
    true,
  ),
  'PATCH /streams/{stream_id}: administer the channel': naming({ description: 'changed' }),
  'PATCH /streams/{stream_id}: make a private channel public': async (chat, caller) => {
    const { id } = await newChannel(chat, caller, {
      invite_only: true,
      grants: ['can_administer_channel_group'],
    });
    return { sample: { stream_id: String(id), is_private: 'false' } };
  },
  ...shared('PATCH /streams/{stream_id}', changing, 'is_private'),
  'PATCH /streams/{stream_id}: let a group delete all messages': letDelete(
    'can_delete_any_message_group',
    false,
  ),
  'PATCH /streams/{stream_id}: let a group delete its own messages': letDelete(
    'can_delete_own_message_group',
    false,
  ),
  'DELETE /streams/{stream_id}: administer the channel': naming(),
  'POST /streams/{stream_id}/delete_topic: delete messages of others': naming({
    topic_name: 'news',
  }),
  'POST /users/me/subscriptions: subscribe to a public channel': subscribeSelf(false),
  'POST /users/me/subscriptions: subscribe to a private channel': subscribeSelf(true),
  'POST /users/me/subscriptions: subscribe other users': async (chat, caller) => {
    const made = await subscribing(chat, caller, { invite_only: true, isSubscribed: true });
    const principals = JSON.stringify([chat.people.cordelia.user.id]);
    return { ...made, sample: { ...made.sample, principals } };
  },
  'PATCH /users/me/subscriptions: subscribe to a public channel': updateSelf(false),
  'PATCH /users/me/subscriptions: subscribe to a private channel': updateSelf(true),
  'DELETE /users/me/subscriptions: unsubscribe other users than your own bots': async (
    chat,
    caller,
  ) => {
    const { cordelia } = chat.people;
    const { id, name } = await newChannel(chat, caller, { subscribers: [caller, cordelia] });
    const principals = JSON.stringify([cordelia.user.id]);
    return { channel_id: id, sample: { subscriptions: JSON.stringify([name]), principals } };
  },
};
