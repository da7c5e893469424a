import type { UserGroupId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const nextName = () => `Group ${++count}`;

/** Creates a group of Desdemona with these members. */
async function added(
  { people: { desdemona } }: TestChat,
  members: readonly { readonly user: { readonly id: number } }[] = [],
): Promise<UserGroupId> {
  const { group_id } = await desdemona.client.userGroups.create({
    name: nextName(),
    description: '',
    members: members.map(({ user }) => user.id),
  });
  return group_id;
}
const inPath = async (chat: TestChat) => String(await added(chat));

export const fixture: ContractFixture = {
  samples: {
    'POST /user_groups/create': () => ({ name: nextName(), description: 'x', members: '[]' }),
    'PATCH /user_groups/{user_group_id}': async (chat) => ({
      user_group_id: await inPath(chat),
      description: 'new',
    }),
    'POST /user_groups/{user_group_id}/deactivate': async (chat) => ({
      user_group_id: await inPath(chat),
    }),
    'POST /user_groups/{user_group_id}/members': async (chat) => ({
      user_group_id: await inPath(chat),
      add: `[${chat.people.hamlet.user.id}]`,
    }),
    'POST /user_groups/{user_group_id}/subgroups': async (chat) => ({
      user_group_id: await inPath(chat),
      add: `[${await added(chat)}]`,
    }),
    'GET /user_groups/{user_group_id}/members/{user_id}': async (chat) => ({
      user_group_id: await inPath(chat),
      user_id: String(chat.people.hamlet.user.id),
    }),
  },
  parameters: { user_group_id: (chat) => added(chat) },
  declared: {
    'POST /user_groups/create user_group message': ({ chat }) => added(chat, [chat.people.hamlet]),
    'PATCH /user_groups/{user_group_id} user_group': async ({ chat }) =>
      chat.people.desdemona.client.userGroups.update({
        user_group_id: await added(chat),
        name: nextName(),
      }),
    'PATCH /user_groups/{user_group_id} EXPECTATION_MISMATCH': async ({ chat }) => {
      const user_group_id = await added(chat);
      await chat.people.desdemona.client.userGroups.update({
        user_group_id,
        can_join_group: { new: user_group_id, old: user_group_id },
      });
    },
    'POST /user_groups/{user_group_id}/deactivate user_group': async ({ chat }) =>
      chat.people.desdemona.client.userGroups.deactivate({ user_group_id: await added(chat) }),
    'POST /user_groups/{user_group_id}/deactivate CANNOT_DEACTIVATE_GROUP_IN_USE': async ({
      chat,
    }) => {
      const { userGroups } = chat.people.desdemona.client;
      const user_group_id = await added(chat);
      await userGroups.updateSubgroups({ user_group_id: await added(chat), add: [user_group_id] });
      await userGroups.deactivate({ user_group_id });
    },
    'POST /user_groups/{user_group_id}/members user_group message stream subscription': ({
      chat,
    }) =>
      showChannel(chat, (group, { updateMembers }) =>
        updateMembers({ user_group_id: group, add: [chat.people.cordelia.user.id] }),
      ),
    'POST /user_groups/{user_group_id}/subgroups user_group stream subscription': ({ chat }) =>
      showChannel(chat, async (group, { updateSubgroups }) =>
        updateSubgroups({
          user_group_id: group,
          add: [await added(chat, [chat.people.cordelia])],
        }),
      ),
  },
  changes: {
    'a user group created, renamed, restricted and deactivated': async (chat) => {
      const { hamlet, cordelia, desdemona } = chat.people;
      const { userGroups } = desdemona.client;
      const user_group_id = await added(chat, [hamlet, cordelia]);
      const can_leave_group = {
        new: { direct_members: [hamlet.user.id], direct_subgroups: [] },
      };
      await userGroups.update({ user_group_id, name: nextName(), can_leave_group });
      await userGroups.deactivate({ user_group_id });
      await userGroups.update({ user_group_id, description: 'deactivated' });
    },
    'a deactivated user group reactivated': async (chat) => {
      const { userGroups } = chat.people.desdemona.client;
      const user_group_id = await added(chat, [chat.people.hamlet]);
      await userGroups.deactivate({ user_group_id });
      await userGroups.updateMembers({ user_group_id, add: [chat.people.cordelia.user.id] });
      await userGroups.update({ user_group_id, deactivated: false, name: nextName() });
    },
    'a private channel shown to members of a user group and hidden again': async (chat) => {
      const { cordelia, polonius } = chat.people;
      await showChannel(chat, async (group, { updateMembers, updateSubgroups }) => {
        const inner = await added(chat, [polonius]);
        await updateMembers({
          user_group_id: group,
          add: [cordelia.user.id],
          add_subgroups: [inner],
        });
        await updateMembers({ user_group_id: inner, add: [cordelia.user.id] });
        await updateMembers({ user_group_id: group, delete: [cordelia.user.id] });
        await updateSubgroups({ user_group_id: group, delete: [inner] });
      });
    },
  },
};

type UserGroups = TestChat['people']['desdemona']['client']['userGroups'];

/** Runs a change of a group whose members may subscribe to a private channel. */
async function showChannel(
  chat: TestChat,
  change: (group: UserGroupId, calls: UserGroups) => Promise<unknown>,
): Promise<void> {
  const { client } = chat.people.desdemona;
  const group = await added(chat);
  await client.subscriptions.add({
    subscriptions: [{ name: nextName() }],
    invite_only: true,
    can_subscribe_group: group,
  });
  await change(group, client.userGroups);
}
