import type { ReminderId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

/** In the year 2100. */
const scheduled_delivery_timestamp = 4_102_444_800;

const note = async ({ client, user }: Person) =>
  (await client.messages.send({ type: 'direct', to: [user.id], content: 'a note' })).id;

/** Adds a reminder of a new message. */
async function add(person: Person): Promise<ReminderId> {
  const asked = { message_id: await note(person), scheduled_delivery_timestamp };
  return (await person.client.reminders.add(asked)).reminder_id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /reminders': async (_chat, caller) => ({
      message_id: String(await note(caller)),
      scheduled_delivery_timestamp: String(scheduled_delivery_timestamp),
    }),
  },
  parameters: { reminder_id: (_chat, caller) => add(caller) },
  declared: {
    'POST /reminders reminders': ({ chat }) => add(chat.people.hamlet),
    'DELETE /reminders/{reminder_id} reminders': async ({ chat: { people } }) =>
      people.hamlet.client.reminders.remove({ reminder_id: await add(people.hamlet) }),
  },
  changes: {
    'two reminders, one of them deleted': async ({ people: { hamlet } }) => {
      await add(hamlet);
      await hamlet.client.reminders.remove({ reminder_id: await add(hamlet) });
    },
  },
};
