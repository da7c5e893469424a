import { recordStatements } from '@bellhop/postgres/testing';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

test('deactivating a user whom many groups and channels name takes as many statements as one whom few name', async () => {
  await using chat = await startTestChat();
  const { iago, hamlet } = chat.people;
  const statementsFor = async (count: number) => {
    const { user } = await chat.addPerson(`named${count}`);
    const named = { direct_members: [user.id], direct_subgroups: [] };
    const members = [user.id];
    for (let at = 0; at < count; at++) {
      const name = `${count} of ${at}`;
      const channel = { name, subscribers: [hamlet.user.id], can_administer_channel_group: named };
      await hamlet.client.channels.create(channel);
      const group = { name, description: '', members, can_mention_group: named };
      await hamlet.client.userGroups.create(group);
    }
    using statements = recordStatements();
    await iago.client.users.deactivate({ user_id: user.id });
    return ['nested (channel_id, id)', 'from "user_group"', 'from "realm_user"'].map((part) =>
      statements.countOf(part),
    );
  };
  const few = await statementsFor(1);
  expect(few.every((count) => count > 0)).toBe(true);
  expect(await statementsFor(6)).toEqual(few);
});
