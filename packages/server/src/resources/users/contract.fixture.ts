import type { UserId } from '@bellhop/protocol';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';
import { addClientDevice, addDevice } from '../devices/add-device.fixture.ts';
import { type Strangers, withLimitedGuests } from '../user-events/limited-guests.fixture.ts';
import { account, createdAccount, type NewAccount } from './created-account.fixture.ts';

let people = 0;

const newPerson = (chat: TestChat): Promise<Person> => chat.addPerson(`newcomer${++people}`);

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

/** Creates and deactivates a person who is in channels and has a bot. */
async function deactivatedWithBot(chat: TestChat) {
  const { iago } = chat.people;
  const { user_id, client } = await createdAccount(chat);
  const short_name = `owned${people}`;
  const bot = await client.bots.create({ full_name: short_name, short_name });
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }, { name: 'council' }],
    principals: [user_id, bot.user_id],
  });
  await iago.client.users.deactivate({ user_id });
  return { user_id, bot_id: bot.user_id };
}

/** Lists users in permission settings of a new channel, a new group and the realm. */
async function listInSettings({ people: { desdemona } }: TestChat, ids: UserId[]): Promise<void> {
  const { client } = desdemona;
  const list = { direct_members: [desdemona.user.id, ...ids], direct_subgroups: [] };
  const name = `listing${++people}`;
  await client.channels.create({ name, subscribers: [], can_send_message_group: list });
  await client.userGroups.create({ name, description: '', members: [], can_mention_group: list });
  // No operation asks for this permission, so later actions do not miss it.
  await client.realms.update({ can_summarize_topics_group: { new: list } });
}

/** Deactivates a person with a bot, both listed in permission settings. */
async function deactivatedInSettings(chat: TestChat): Promise<NewAccount & { bot_id: UserId }> {
  const { user_id, client } = await createdAccount(chat);
  const short_name = `listed${people}`;
  const { user_id: bot_id } = await client.bots.create({ full_name: short_name, short_name });
  await listInSettings(chat, [user_id, bot_id]);
  await chat.people.iago.client.users.deactivate({ user_id });
  return { user_id, client, bot_id };
}

/** Runs an action after which a guest sees a new member. */
const whereGuestsAreLimited =
  (act: (strangers: Strangers) => Promise<unknown>) =>
  async ({ chat }: ContractStage): Promise<void> => {
    const member = await newPerson(chat);
    await member.client.presence.update({ status: 'active' });
    await member.client.userStatus.set({ status_text: 'new here' });
    await withLimitedGuests(chat, member, act);
  };

/** A new channel that the member creates with the guest. */
async function sharedChannel({ guest, member }: Strangers): Promise<string> {
  const name = `shared${++people}`;
  await member.client.subscriptions.add({
    subscriptions: [{ name }],
    principals: [member.user.id, guest.user.id],
  });
  return name;
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
    'POST /users/me/subscriptions realm_user user_group presence user_status':
      whereGuestsAreLimited(sharedChannel),
    'PATCH /users/me/subscriptions realm_user user_group presence user_status':
      whereGuestsAreLimited(async (strangers) => {
        const name = await sharedChannel(strangers);
        await strangers.member.client.subscriptions.update({ delete: [name] });
        await strangers.member.client.subscriptions.update({ add: [{ name }] });
      }),
    'POST /channels/create realm_user user_group presence user_status': whereGuestsAreLimited(
      ({ guest, member }) =>
        member.client.channels.create({
          name: `shared${++people}`,
          subscribers: [member.user.id, guest.user.id],
        }),
    ),
    'POST /messages realm_user user_group presence user_status': whereGuestsAreLimited(
      ({ guest, member }) =>
        member.client.messages.send({ type: 'direct', to: [guest.user.id], content: 'hello' }),
    ),
    'POST /users realm_user user_group subscription stream message': async ({ chat }) => {
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
    'POST /users invites_changed': async ({ chat }) => {
      const { client } = chat.people.desdemona;
      const user = account();
      await client.invites.send({ invitee_emails: user.email, stream_ids: [] });
      await client.users.create(user);
    },
    'PATCH /users/{user_id} invites_changed': async ({ chat }) => {
      const { client } = chat.people.desdemona;
      const { user_id } = await createdAccount(chat);
      const new_email = 'invited-before@example.com';
      await client.invites.send({ invitee_emails: new_email, stream_ids: [] });
      await client.users.update({ user_id, new_email });
    },
    'PATCH /users/{user_id} push_device device': async ({ chat }) => {
      const { user_id } = await createdAccount(chat);
      await addDevice(chat, { user: { id: user_id } });
      await addClientDevice(chat, { user: { id: user_id } });
      const new_email = 'with-another-phone@example.com';
      await chat.people.desdemona.client.users.update({ user_id, new_email });
    },
    'PATCH /users/{user_id} realm_user user_group': async ({ chat }) => {
      const { user } = await newPerson(chat);
      await chat.people.iago.client.users.update({ user_id: user.id, role: 300 });
    },
    'PATCH /users/{user_id} realm_bot': async ({ chat }) => {
      const { client } = chat.people.desdemona;
      const { user, bot_id } = await newBotOwner(chat);
      for (const user_id of [user.id, bot_id]) await client.users.update({ user_id, role: 200 });
      await client.users.update({ user_id: user.id, role: 400 });
    },
    'DELETE /users/{user_id} realm_user realm_bot user_group subscription': ({ chat }) =>
      deactivated(chat),
    'DELETE /users/me realm_user realm_bot user_group subscription': async ({ chat }) => {
      const { client } = await newBotOwner(chat);
      await client.users.deactivateSelf();
    },
    'DELETE /users/{user_id} stream realm': ({ chat }) => deactivatedInSettings(chat),
    'DELETE /users/me stream realm': async ({ chat }) => {
      const { user_id, client } = await createdAccount(chat);
      await listInSettings(chat, [user_id]);
      await client.users.deactivateSelf();
    },
    'DELETE /bots/{bot_id} stream realm': async ({ chat }) => {
      const { client, bot_id } = await newBotOwner(chat);
      await listInSettings(chat, [bot_id]);
      await client.bots.deactivate({ bot_id });
    },
    'POST /users/{user_id}/reactivate stream realm': async ({ chat }) => {
      const { user_id } = await deactivatedInSettings(chat);
      await chat.people.iago.client.users.reactivate({ user_id });
    },
    'DELETE /users/{user_id} invites_changed': async ({ chat }) => {
      const { user, client } = await newPerson(chat);
      await client.invites.send({ invitee_emails: 'of-deactivated@example.com', stream_ids: [] });
      await chat.people.iago.client.users.deactivate({ user_id: user.id });
    },
    'DELETE /users/me invites_changed': async ({ chat }) => {
      const { client } = await newPerson(chat);
      await client.invites.send({ invitee_emails: 'of-leaving@example.com', stream_ids: [] });
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
    'a user with another name, role and address': async (chat) => {
      const { user_id } = await createdAccount(chat);
      const new_email = `renamed${people}@chat.test`;
      const full_name = 'Another Name';
      await chat.people.desdemona.client.users.update({ user_id, full_name, role: 300, new_email });
    },
    "a reader's own account with another name": ({ people: { iago, hamlet } }) =>
      iago.client.users.update({ user_id: hamlet.user.id, full_name: 'Prince' }),
    'a deactivated user with a bot': deactivatedWithBot,
    'a deactivated user with a bot, both listed in settings': deactivatedInSettings,
    'a user and a bot listed in settings, reactivated': async (chat) => {
      const { user_id, bot_id } = await deactivatedInSettings(chat);
      await chat.people.iago.client.users.reactivate({ user_id });
      await chat.people.iago.client.users.reactivate({ user_id: bot_id });
    },
    'a user and a bot reactivated': async (chat) => {
      const { user_id, bot_id } = await deactivatedWithBot(chat);
      await chat.people.iago.client.users.reactivate({ user_id });
      await chat.people.iago.client.users.reactivate({ user_id: bot_id });
    },
  },
};
