import type { MessageId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

const tada = { emoji_name: 'tada' };

/** Sends a direct message of this user to themselves. */
async function toSelf({ client, user }: Person): Promise<MessageId> {
  return (await client.messages.send({ type: 'direct', to: [user.id], content: 'x' })).id;
}

/** A message of Iago's in the channel `verona`. */
async function said({ people }: TestChat): Promise<MessageId> {
  const message = { type: 'channel', to: 'verona', topic: 'news', content: 'hello' } as const;
  return (await people.iago.client.messages.send(message)).id;
}

export const fixture: ContractFixture = {
  samples: {
    'DELETE /messages/{message_id}/reactions': async (_chat, caller) => {
      const message_id = await toSelf(caller);
      await caller.client.reactions.add({ ...tada, message_id });
      return { ...tada, message_id: String(message_id) };
    },
  },
  parameters: { emoji_name: () => 'thumbs_up' },
  declared: {
    'POST /messages/{message_id}/reactions reaction': async ({ chat: { people } }) =>
      people.hamlet.client.reactions.add({ ...tada, message_id: await toSelf(people.hamlet) }),
    'POST /messages/{message_id}/reactions REACTION_ALREADY_EXISTS': async ({ chat }) => {
      const { hamlet } = chat.people;
      const reaction = { ...tada, message_id: await toSelf(hamlet) };
      await hamlet.client.reactions.add(reaction);
      return hamlet.client.reactions.add(reaction);
    },
    'DELETE /messages/{message_id}/reactions reaction': async ({ chat: { people } }) => {
      const reaction = { ...tada, message_id: await toSelf(people.hamlet) };
      await people.hamlet.client.reactions.add(reaction);
      return people.hamlet.client.reactions.remove(reaction);
    },
    'DELETE /messages/{message_id}/reactions REACTION_DOES_NOT_EXIST': async ({ chat }) => {
      const { hamlet } = chat.people;
      return hamlet.client.reactions.remove({ ...tada, message_id: await toSelf(hamlet) });
    },
  },
  changes: {
    'a reaction': async (chat) =>
      chat.people.hamlet.client.reactions.add({ ...tada, message_id: await said(chat) }),
    'a reaction of a user who is not in the channel': async (chat) =>
      chat.people.cordelia.client.reactions.add({ ...tada, message_id: await said(chat) }),
    'a removed reaction': async (chat) => {
      const { hamlet } = chat.people;
      const reaction = { ...tada, message_id: await said(chat) };
      await hamlet.client.reactions.add(reaction);
      await hamlet.client.reactions.remove(reaction);
    },
  },
};
