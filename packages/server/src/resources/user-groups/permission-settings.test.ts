import {
  ApiError,
  type ChannelGroupSetting,
  type RealmGroupSetting,
  realmGroupSettings,
  roles,
  type UserGroupId,
  userGroupSettings,
} from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { imageOf } from '../../images/images.fixture.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';

let chat: TestChat;
let system: Awaited<ReturnType<typeof queries.systemGroupIds>>;
/** A member without any right except the tested one. */
let member: Person;
let other: Person;
let crowd: readonly Person[];
/** The values of a setting, by how the member belongs to them. */
const values: Record<string, UserGroupId> = {};

/** An action, ready to be tried under the tested settings. */
type Try = () => Promise<unknown>;
/** Prepares an action of the member under default settings. */
type RealmAction = () => Try | Promise<Try>;
type ValuedAction = (value: UserGroupId) => Try | Promise<Try>;

beforeAll(async () => {
  chat = await startTestChat();
  member = chat.people.cordelia;
  other = chat.people.hamlet;
  crowd = await Promise.all(Array.from({ length: 16 }, (_, at) => chat.addPerson(`crowd${at}`)));
  system = await queries.systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
  const named = async (members: readonly Person[], subgroups: UserGroupId[] = []) =>
    (
      await other.client.userGroups.create({
        name: next('group'),
        description: '',
        members: members.map(({ user }) => user.id),
        subgroups,
      })
    ).group_id;
  const inner = await named([member]);
  const outer = await named([], [await named([], [inner])]);
  const list = (direct_members: Person[], direct_subgroups: UserGroupId[]) =>
    chat.server.app.db.transaction((tx) =>
      queries.insertAnonymous(tx, chat.realm.id, {
        direct_members: direct_members.map(({ user }) => user.id),
        direct_subgroups,
      }),
    );
  Object.assign(values, {
    'a list without the user': await list([other], [system['role:moderators']]),
    'a list with the user': await list([other, member], []),
    'a group with the user': inner,
    'a group two levels above the user': outer,
    'a list with a group of the user': await list([other], [outer]),
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const png = await imageOf('png', 10, 10);
let count = 0;
const next = (name: string) => `${name} ${++count}`;

/** A public channel where only `groups` give rights, beside sending. */
const channel = (
  groups: Partial<Record<ChannelGroupSetting, UserGroupId>> = {},
  more: { invite_only?: boolean; subscribers?: readonly Person[] } = {},
) => addChannel(chat, { name: next('channel'), subscribers: [], ...more, ...groups });

/** A message in a new channel where only `groups` give rights. */
async function message(by: Person, groups: Partial<Record<ChannelGroupSetting, UserGroupId>> = {}) {
  const to = await channel(groups);
  const { id } = await by.client.messages.send({ type: 'channel', to, topic: 'x', content: 'x' });
  return id;
}

const moves = async (groups = {}) => {
  const message_id = await message(other, groups);
  const stream_id = await channel();
  return () => member.client.messages.edit({ message_id, stream_id });
};
const retitles = async (topic: string, groups = {}) => {
  const message_id = await message(other, groups);
  return () => member.client.messages.edit({ message_id, topic, propagate_mode: 'change_all' });
};
const deletes = async (by: Person, groups = {}) => {
  const message_id = await message(by, groups);
  return () => member.client.messages.remove({ message_id });
};
const subscribesOther = async (groups = {}) => {
  const name = next('channel');
  await addChannel(chat, { name, subscribers: [], ...groups });
  return () =>
    member.client.subscriptions.add({ subscriptions: [{ name }], principals: [other.user.id] });
};
const creates =
  (fields: object = {}): RealmAction =>
  () =>
  () =>
    member.client.subscriptions.add({ subscriptions: [{ name: next('new') }], ...fields });
const createsBot = (bot_type: 1 | 2) => () => () => {
  const short_name = `bot-${++count}`;
  return member.client.bots.create({ full_name: short_name, short_name, bot_type });
};

/** Settings that no request depends on yet, or that take only system groups. */
const untested = [
  'can_access_all_users_group',
  'can_create_web_public_channel_group',
  'can_manage_billing_group',
  'can_summarize_topics_group',
] as const;

const ofRealm: Record<Exclude<RealmGroupSetting, (typeof untested)[number]>, RealmAction> = {
  create_multiuse_invite_group: () => () =>
    member.client.invites.createLink({ invite_as: roles.member }),
  can_add_custom_emoji_group: () => () =>
    member.client.realmEmoji.upload(
      { emoji_name: `emoji-${++count}` },
      { file: new File([new Uint8Array(png)], 'a.png') },
    ),
  can_add_subscribers_group: subscribesOther,
  can_create_bots_group: createsBot(1),
  can_create_write_only_bots_group: createsBot(2),
  can_create_groups: () => () =>
    member.client.userGroups.create({ name: next('new'), description: '', members: [] }),
  can_create_private_channel_group: creates({ invite_only: true }),
  can_create_public_channel_group: creates(),
  can_delete_any_message_group: () => deletes(other),
  can_delete_own_message_group: () => deletes(member),
  can_invite_users_group: () => () =>
    member.client.invites.send({
      invitee_emails: `${next('new').replace(' ', '')}@example.com`,
      stream_ids: [],
    }),
  can_manage_all_groups: async () => {
    const name = next('managed');
    const { group_id } = await other.client.userGroups.create({
      name,
      description: '',
      members: [],
    });
    return () => member.client.userGroups.update({ user_group_id: group_id, description: 'new' });
  },
  can_mention_many_users_group: async () => {
    const to = await channel({}, { subscribers: crowd });
    return () =>
      member.client.messages.send({ type: 'channel', to, topic: 'x', content: '@**all**' });
  },
  can_move_messages_between_channels_group: moves,
  can_move_messages_between_topics_group: () => retitles('y'),
  can_resolve_topics_group: () => retitles('✔ x'),
  can_set_delete_message_policy_group: () =>
    creates({ can_delete_own_message_group: system['role:everyone'] })(),
  can_set_topics_policy_group: creates({ topics_policy: 'disable_empty_topic' }),
  direct_message_initiator_group: async () => {
    const stranger = await chat.addPerson(next('stranger').replace(' ', ''));
    return () =>
      member.client.messages.send({ type: 'direct', to: [stranger.user.id], content: 'x' });
  },
  direct_message_permission_group: () => () =>
    member.client.messages.send({
      type: 'direct',
      to: [chat.people.polonius.user.id],
      content: 'x',
    }),
};

/** Further settings that an action needs. All others are nobody. */
const beside: Partial<Record<string, readonly RealmGroupSetting[]>> = {
  can_set_delete_message_policy_group: ['can_create_public_channel_group'],
  can_set_topics_policy_group: ['can_create_public_channel_group'],
  direct_message_initiator_group: ['direct_message_permission_group'],
  direct_message_permission_group: ['direct_message_initiator_group'],
};

const ofChannel: Record<ChannelGroupSetting, ValuedAction> = {
  can_add_subscribers_group: (value) => subscribesOther({ can_add_subscribers_group: value }),
  can_administer_channel_group: async (value) => {
    const stream_id = await channel({ can_administer_channel_group: value });
    return () => member.client.channels.update({ stream_id, description: 'new' });
  },
  can_delete_any_message_group: (value) => deletes(other, { can_delete_any_message_group: value }),
  can_delete_own_message_group: (value) => deletes(member, { can_delete_own_message_group: value }),
  can_move_messages_out_of_channel_group: (value) =>
    moves({ can_move_messages_out_of_channel_group: value }),
  can_move_messages_within_channel_group: (value) =>
    retitles('y', { can_move_messages_within_channel_group: value }),
  can_remove_subscribers_group: async (value) => {
    const name = next('channel');
    await addChannel(chat, { name, subscribers: [other], can_remove_subscribers_group: value });
    return () =>
      member.client.subscriptions.remove({ subscriptions: [name], principals: [other.user.id] });
  },
  can_resolve_topics_group: (value) => retitles('✔ x', { can_resolve_topics_group: value }),
  can_send_message_group: async (value) => {
    const to = await channel({ can_send_message_group: value });
    return () => member.client.messages.send({ type: 'channel', to, topic: 'x', content: 'x' });
  },
  can_subscribe_group: async (value) => {
    const name = next('channel');
    await addChannel(chat, {
      name,
      subscribers: [],
      invite_only: true,
      can_subscribe_group: value,
    });
    return () => member.client.subscriptions.add({ subscriptions: [{ name }] });
  },
};

/** An action on a group where only one setting gives a right. */
const onGroup =
  (
    setting: (typeof userGroupSettings)[number],
    members: () => readonly Person[],
    act: (user_group_id: UserGroupId, name: string) => Promise<unknown>,
  ): ValuedAction =>
  async (value) => {
    const name = next('target');
    const { group_id } = await other.client.userGroups.create({
      name,
      description: '',
      members: members().map(({ user }) => user.id),
    });
    const nobody = userGroupSettings.map((one) => [one, system['role:nobody']]);
    await chat.server.app.db.kysely
      .updateTable('user_group')
      .set({ ...Object.fromEntries(nobody), [setting]: value })
      .where('id', '=', group_id)
      .execute();
    return () => act(group_id, name);
  };
const adds = (who: () => Person) => (user_group_id: UserGroupId) =>
  member.client.userGroups.updateMembers({ user_group_id, add: [who().user.id] });
const removes = (who: () => Person) => (user_group_id: UserGroupId) =>
  member.client.userGroups.updateMembers({ user_group_id, delete: [who().user.id] });
const self = () => member;
const another = () => other;

const ofGroup: Record<(typeof userGroupSettings)[number], ValuedAction> = {
  can_add_members_group: onGroup('can_add_members_group', () => [], adds(another)),
  can_join_group: onGroup('can_join_group', () => [], adds(self)),
  can_leave_group: onGroup('can_leave_group', () => [member], removes(self)),
  can_manage_group: onGroup(
    'can_manage_group',
    () => [],
    (user_group_id) => member.client.userGroups.update({ user_group_id, description: 'new' }),
  ),
  can_mention_group: onGroup(
    'can_mention_group',
    () => [],
    (_, name) =>
      member.client.messages.send({
        type: 'direct',
        to: [member.user.id],
        content: `@*${name}*`,
      }),
  ),
  can_remove_members_group: onGroup('can_remove_members_group', () => [other], removes(another)),
};

/** Stores the permission settings of the realm. */
async function setRealm(groups: object): Promise<void> {
  await chat.server.app.db.kysely
    .updateTable('realm')
    .set({ group_settings: JSON.stringify(groups) })
    .execute();
  chat.server.app.realms.forget();
}

async function isPermitted(attempt: Try): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return false;
    throw error;
  }
}

/** Whether the action succeeds with each value of the setting, the realm's other settings being nobody. */
async function outcomes(
  prepare: (value: UserGroupId) => Try | Promise<Try>,
  groups: (value: UserGroupId) => Partial<Record<RealmGroupSetting, UserGroupId>>,
): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  const nobody = realmGroupSettings.map((name) => [name, system['role:nobody']]);
  for (const [title, value] of Object.entries(values)) {
    await setRealm(chat.realm.group_settings);
    const attempt = await prepare(value);
    const { can_access_all_users_group } = chat.realm.group_settings;
    await setRealm({
      ...Object.fromEntries(nobody),
      can_access_all_users_group,
      ...groups(value),
    });
    found[title] = await isPermitted(attempt);
  }
  await setRealm(chat.realm.group_settings);
  return found;
}

const expected = {
  'a list without the user': false,
  'a list with the user': true,
  'a group with the user': true,
  'a group two levels above the user': true,
  'a list with a group of the user': true,
};

describe('a right is given to exactly the direct and nested members of its group', () => {
  test.each(Object.entries(ofRealm))('%s of the realm', async (name, action) => {
    const everyone = Object.fromEntries(
      (beside[name] ?? []).map((one) => [one, system['role:everyone']]),
    );
    expect(await outcomes(action, (value) => ({ ...everyone, [name]: value }))).toEqual(expected);
  });

  test.each(Object.entries(ofChannel))('%s of a channel', async (_name, action) => {
    expect(await outcomes(action, () => ({}))).toEqual(expected);
  });

  test.each(Object.entries(ofGroup))('%s of a user group', async (name, action) => {
    const direct = 'direct_message_permission_group';
    const found = await outcomes(action, () => ({ [direct]: system['role:everyone'] }));
    expect(found, name).toEqual(expected);
  });
});
