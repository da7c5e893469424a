import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

const widget = { msg_type: 'widget', content: '{}' };

async function toSelf({ client, user }: Person) {
  return (await client.messages.send({ type: 'direct', to: [user.id], content: 'x' })).id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /submessage': async (_chat, caller) => ({
      ...widget,
      message_id: String(await toSelf(caller)),
    }),
  },
  declared: {
    'POST /submessage submessage': async ({ chat: { people } }) =>
      people.hamlet.client.submessages.add({ ...widget, message_id: await toSelf(people.hamlet) }),
  },
  changes: {
    'a poll and a vote': async ({ people }) => {
      const { id } = await people.iago.client.messages.send({
        type: 'channel',
        to: 'verona',
        topic: 'news',
        content: '/poll Tea?\nyes',
      });
      const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
      await people.hamlet.client.submessages.add({ message_id: id, msg_type: 'widget', content });
    },
  },
};
