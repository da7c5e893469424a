import type { UserId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

let people = 0;

const newPerson = (chat: TestChat): Promise<Person> => chat.addPerson(`newcomer${++people}`);
const account = () => ({
  email: `account${++people}@chat.test`,
  full_name: `Account ${people}`,
  password: 'a long password',
});

/** A new person with a bot, both subscribed to a channel. */
async function newBotOwner(chat: TestChat): Promise<Person & { readonly bot_id: UserId }> {
  const person = await newPerson(chat);
  const short_name = `owned${people}`;
  const { user_id } = await person.client.bots.create({ full_name: short_name, short_name });
  await chat.people.iago.client.subscriptions.add({
    subscriptions: [{ name: 'crowd' }],
    principals: [person.user.id, user_id],
  });
  return { ...person, bot_id: user_id };
}

async function deactivated(chat: TestChat): Promise<Person & { readonly bot_id: UserId }> {
  const person = await newBotOwner(chat);
  await chat.people.iago.client.users.deactivate({ user_id: person.user.id });
  return person;
}

/** Deactivates Shiva, who is in a channel and has a bot. Returns the ID of the bot. */
async function deactivatedWithBot({ iago, shiva }: TestChat['people']): Promise<UserId> {
  const bot = await shiva.client.bots.create({ full_name: 'Owned', short_name: 'owned' });
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }, { name: 'council' }],
    principals: [shiva.user.id, bot.user_id],
  });
  await iago.client.users.deactivate({ user_id: shiva.user.id });
  return bot.user_id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /users': account,
    'DELETE /users/{user_id}': async (chat) => ({
      user_id: String((await newPerson(chat)).user.id),
    }),
  },
  parameters: { user_id: ({ people: { iago } }) => iago.user.id },
  declared: {
    'POST /users realm_user user_group subscription stream': async ({ chat }) => {
      const { desdemona } = chat.people;
      await desdemona.client.subscriptions.add({
        subscriptions: [{ name: 'welcome' }],
        invite_only: true,
      });
      const makeDefault = (is_default: boolean) =>
        chat.server.app.db.kysely
          .updateTable('channel')
          .set({ is_default })
          .where('realm_id', '=', chat.realm.id)
          .where('name', '=', 'welcome')
          .execute();
      await makeDefault(true);
      await desdemona.client.users.create(account());
      await makeDefault(false);
    },
    'PATCH /users/{user_id} realm_user user_group': async ({ chat }) => {
      const { user } = await newPerson(chat);
      await chat.people.iago.client.users.update({ user_id: user.id, role: 300 });
    },
    'DELETE /users/{user_id} realm_user realm_bot user_group subscription': ({ chat }) =>
      deactivated(chat),
    'DELETE /users/me realm_user realm_bot user_group subscription': async ({ chat }) => {
      const { client } = await newBotOwner(chat);
      await client.users.deactivateSelf();
    },
    'DELETE /users/me CANNOT_DEACTIVATE_LAST_USER': ({ chat }) =>
      chat.people.desdemona.client.users.deactivateSelf(),
    'POST /users/{user_id}/reactivate realm_user realm_bot user_group subscription': async ({
      chat,
    }) => {
      const { user, bot_id } = await deactivated(chat);
      await chat.people.iago.client.users.reactivate({ user_id: user.id });
      await chat.people.iago.client.users.reactivate({ user_id: bot_id });
    },
  },
  changes: {
    'a new user': ({ people: { desdemona } }) => desdemona.client.users.create(account()),
    'a user with another name, role and address': ({ people: { desdemona, shiva } }) =>
      desdemona.client.users.update({
        user_id: shiva.user.id,
        full_name: 'Renamed',
        role: 400,
        new_email: 'renamed@chat.test',
      }),
    "a reader's own account with another name": ({ people: { iago, hamlet } }) =>
      iago.client.users.update({ user_id: hamlet.user.id, full_name: 'Prince' }),
    'a deactivated user with a bot': ({ people }) => deactivatedWithBot(people),
    'a user and a bot reactivated': async ({ people }) => {
      const bot_id = await deactivatedWithBot(people);
      await people.iago.client.users.reactivate({ user_id: people.shiva.user.id });
      await people.iago.client.users.reactivate({ user_id: bot_id });
    },
  },
};
