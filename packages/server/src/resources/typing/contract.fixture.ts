import type { MessageId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

/** A message that this person may edit. */
async function sent({ client, user }: Person): Promise<MessageId> {
  const { id } = await client.messages.send({ type: 'direct', to: [user.id], content: 'x' });
  return id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /typing': ({ people }) => ({ op: 'start', to: `[${people.iago.user.id}]` }),
    'POST /messages/{message_id}/typing': async (_chat, caller) => ({
      op: 'start',
      message_id: String(await sent(caller)),
    }),
    'POST /message_edit_typing': async (_chat, caller) => ({
      op: 'start',
      message_id: String(await sent(caller)),
    }),
  },
  declared: {
    'POST /typing typing': ({ chat: { people } }) =>
      people.hamlet.client.typing.send({ op: 'start', to: [people.iago.user.id] }),
    'POST /messages/{message_id}/typing typing_edit_message': async ({ chat: { people } }) =>
      people.hamlet.client.typing.edit({ op: 'start', message_id: await sent(people.hamlet) }),
    'POST /message_edit_typing typing_edit_message': async ({ chat: { people } }) =>
      people.hamlet.client.typing.editByBody({
        op: 'start',
        message_id: await sent(people.hamlet),
      }),
  },
  changes: {
    'editing a message': async ({ people: { hamlet } }) =>
      hamlet.client.typing.edit({ op: 'stop', message_id: await sent(hamlet) }),
    typing: ({ people: { hamlet, polonius, desdemona } }) =>
      hamlet.client.typing.send({ op: 'start', to: [polonius.user.id, desdemona.user.id] }),
  },
};
