import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

let people = 0;
const newPerson = (chat: TestChat): Promise<Person> => chat.addPerson(`mutable${++people}`);

/** Somebody whom this person has muted. */
async function muted(chat: TestChat, { client }: Person): Promise<Person> {
  const person = await newPerson(chat);
  await client.mutedUsers.add({ user_id: person.user.id });
  return person;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /users/me/muted_users/{user_id}': async (chat) => ({
      user_id: String((await newPerson(chat)).user.id),
    }),
    'DELETE /users/me/muted_users/{user_id}': async (chat, caller) => ({
      user_id: String((await muted(chat, caller)).user.id),
    }),
  },
  declared: {
    'POST /users/me/muted_users/{user_id} muted_users update_message_flags': async ({ chat }) => {
      const { desdemona } = chat.people;
      const { client, user } = await newPerson(chat);
      await client.messages.send({ type: 'direct', to: [desdemona.user.id], content: 'x' });
      await desdemona.client.mutedUsers.add({ user_id: user.id });
    },
    'DELETE /users/me/muted_users/{user_id} muted_users': async ({ chat }) => {
      const { user } = await muted(chat, chat.people.desdemona);
      await chat.people.desdemona.client.mutedUsers.remove({ user_id: user.id });
    },
  },
  changes: {
    'users muted and no longer muted': async ({ people: { hamlet, iago, cordelia } }) => {
      const say = () =>
        iago.client.messages.send({ type: 'direct', to: [hamlet.user.id], content: 'x' });
      await say();
      await hamlet.client.mutedUsers.add({ user_id: iago.user.id });
      await hamlet.client.mutedUsers.add({ user_id: cordelia.user.id });
      await say();
      await hamlet.client.mutedUsers.remove({ user_id: iago.user.id });
    },
  },
};
