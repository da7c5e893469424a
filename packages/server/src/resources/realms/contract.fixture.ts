import type { Api, AskOf, SystemGroup, UserGroupId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import { systemGroupIds } from '../../model/user-groups/queries.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

type Update = AskOf<Api['realms']['update']>;

const systemGroup = async ({ server, realm }: TestChat, name: SystemGroup): Promise<UserGroupId> =>
  (await systemGroupIds(server.app.db.kysely, realm.id))[name];

/** Makes changes of the realm as its owner, and takes them back. */
async function changedAndRestored(
  { people: { desdemona } }: TestChat,
  changes: Update,
  originals: Update,
): Promise<void> {
  await desdemona.client.realms.update(changes);
  await desdemona.client.realms.update(originals);
}

let channels = 0;

/** A private channel of an administrator that full members may subscribe to. */
async function addChannelOfFullMembers(chat: TestChat): Promise<void> {
  const { iago } = chat.people;
  await iago.client.channels.create({
    name: `veterans ${++channels}`,
    subscribers: [iago.user.id],
    invite_only: true,
    can_subscribe_group: await systemGroup(chat, 'role:fullmembers'),
  });
}

export const fixture: ContractFixture = {
  declared: {
    'PATCH /realm realm': ({ chat }) =>
      changedAndRestored(chat, { digest_weekday: 5 }, { digest_weekday: 1 }),
    'PATCH /realm user_group stream subscription': async ({ chat }) => {
      await addChannelOfFullMembers(chat);
      await changedAndRestored(
        chat,
        { waiting_period_threshold: 5 },
        { waiting_period_threshold: 0 },
      );
    },
    'PATCH /realm EXPECTATION_MISMATCH': async ({ chat }) => {
      const old = await systemGroup(chat, 'role:nobody');
      const can_create_bots_group = { new: await systemGroup(chat, 'role:owners'), old };
      return chat.people.desdemona.client.realms.update({ can_create_bots_group });
    },
    'PATCH /realm SYSTEM_GROUP_REQUIRED': ({ chat }) => {
      const direct_members = [chat.people.iago.user.id];
      const group = { new: { direct_members, direct_subgroups: [] } };
      return chat.people.desdemona.client.realms.update({
        can_create_web_public_channel_group: group,
      });
    },
  },
  changes: {
    'a private channel of full members': addChannelOfFullMembers,
    'a waiting period that all members are in': (chat) =>
      chat.people.desdemona.client.realms.update({ waiting_period_threshold: 5 }),
    'no waiting period': (chat) =>
      chat.people.desdemona.client.realms.update({ waiting_period_threshold: 0 }),
    'settings of the realm': (chat) =>
      chat.people.desdemona.client.realms.update({
        name: 'Elsinore',
        description: 'A castle',
        message_content_edit_limit_seconds: 'unlimited',
        message_content_delete_limit_seconds: 30,
        digest_weekday: 4,
        welcome_message_custom_text: 'Who is there?',
      }),
    'settings that older clients read under other names': (chat) =>
      changedAndRestored(
        chat,
        { topics_policy: 'disable_empty_topic', message_edit_history_visibility_policy: 'none' },
        { topics_policy: 'allow_empty_topic', message_edit_history_visibility_policy: 'all' },
      ),
    'permissions of the realm given to one user, then to system groups': async (chat) => {
      const { update } = chat.people.desdemona.client.realms;
      const direct_members = [chat.people.hamlet.user.id];
      const one = { new: { direct_members, direct_subgroups: [] } };
      const [members, moderators] = [
        { new: await systemGroup(chat, 'role:members') },
        { new: await systemGroup(chat, 'role:moderators') },
      ];
      await update({ can_create_public_channel_group: one, can_invite_users_group: one });
      await update({
        can_create_public_channel_group: members,
        can_create_private_channel_group: moderators,
        can_invite_users_group: members,
      });
      await update({ can_create_private_channel_group: members });
    },
  },
};
