import type { AskOf, Api, ScheduledMessageId } from '@bellhop/protocol';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

type NewMessage = AskOf<Api['scheduledMessages']['add']>;
type Edit = Omit<AskOf<Api['scheduledMessages']['update']>, 'scheduled_message_id'>;

/** In the year 2100. */
const scheduled_delivery_timestamp = 4_102_444_800;

/** A note of a person to themselves. */
const noteOf = ({ user }: Person): NewMessage => ({
  type: 'direct',
  to: [user.id],
  content: 'later',
  scheduled_delivery_timestamp,
});
const add = async (person: Person, message = noteOf(person)): Promise<ScheduledMessageId> =>
  (await person.client.scheduledMessages.add(message)).scheduled_message_id;

/** A message of Hamlet to the channel `crowd`. */
async function toCrowd({ chat }: ContractStage, topic: string, content: string) {
  const { hamlet } = chat.people;
  const { stream_id: to } = await hamlet.client.channels.id({ stream: 'crowd' });
  return { type: 'channel', to, topic, content, scheduled_delivery_timestamp } as const;
}

/** Schedules a note of Hamlet and edits it. */
async function edited({ chat: { people } }: ContractStage, edit: Edit) {
  const scheduled_message_id = await add(people.hamlet);
  return people.hamlet.client.scheduledMessages.update({ scheduled_message_id, ...edit });
}

/** A topic of the channel `crowd` in which more than 15 users have written. */
async function busyTopic({ crowd }: ContractStage, topic: string): Promise<string> {
  for (const { client } of crowd)
    await client.messages.send({ type: 'channel', to: 'crowd', topic, content: 'here' });
  return topic;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /scheduled_messages': ({ people }) => ({
      type: 'direct',
      to: JSON.stringify([people.desdemona.user.id]),
      content: 'later',
      scheduled_delivery_timestamp: String(scheduled_delivery_timestamp),
    }),
    'PATCH /scheduled_messages/{scheduled_message_id}': async (_chat, caller) => ({
      scheduled_message_id: String(await add(caller)),
      content: 'changed',
    }),
  },
  parameters: {
    scheduled_message_id: (_chat, caller) => add(caller),
    scheduled_delivery_timestamp: () => scheduled_delivery_timestamp,
  },
  declared: {
    'POST /scheduled_messages scheduled_messages': ({ chat }) => add(chat.people.hamlet),
    'POST /scheduled_messages STREAM_DOES_NOT_EXIST': async (stage) =>
      add(stage.chat.people.hamlet, { ...(await toCrowd(stage, 'x', 'x')), to: 999_999 }),
    'POST /scheduled_messages STREAM_WILDCARD_MENTION_NOT_ALLOWED': async (stage) =>
      add(stage.chat.people.hamlet, await toCrowd(stage, 'x', '@**all**')),
    'POST /scheduled_messages TOPIC_WILDCARD_MENTION_NOT_ALLOWED': async (stage) => {
      const topic = await busyTopic(stage, 'scheduled');
      return add(stage.chat.people.hamlet, await toCrowd(stage, topic, '@**topic**'));
    },
    'PATCH /scheduled_messages/{scheduled_message_id} scheduled_messages': (stage) =>
      edited(stage, { content: 'changed' }),
    'PATCH /scheduled_messages/{scheduled_message_id} STREAM_DOES_NOT_EXIST': (stage) =>
      edited(stage, { type: 'channel', to: 999_999, topic: 'x' }),
    'PATCH /scheduled_messages/{scheduled_message_id} STREAM_WILDCARD_MENTION_NOT_ALLOWED': async (
      stage,
    ) => edited(stage, await toCrowd(stage, 'x', '@**all**')),
    'PATCH /scheduled_messages/{scheduled_message_id} TOPIC_WILDCARD_MENTION_NOT_ALLOWED': async (
      stage,
    ) => edited(stage, await toCrowd(stage, await busyTopic(stage, 'edited'), '@**topic**')),
    'DELETE /scheduled_messages/{scheduled_message_id} scheduled_messages': async ({ chat }) => {
      const { hamlet } = chat.people;
      const scheduled_message_id = await add(hamlet);
      return hamlet.client.scheduledMessages.remove({ scheduled_message_id });
    },
  },
  changes: {
    'messages scheduled, put off and deleted': async ({ people: { hamlet, cordelia } }) => {
      const { scheduledMessages, channels } = hamlet.client;
      const { stream_id } = await channels.id({ stream: 'verona' });
      const first = await add(hamlet);
      await add(hamlet, { ...noteOf(hamlet), to: [cordelia.user.id] });
      const channel = { type: 'channel', to: stream_id, topic: 'plans' } as const;
      await add(hamlet, { ...noteOf(hamlet), ...channel });
      await scheduledMessages.update({
        scheduled_message_id: first,
        scheduled_delivery_timestamp: scheduled_delivery_timestamp + 60,
      });
      await scheduledMessages.remove({ scheduled_message_id: await add(hamlet) });
    },
  },
};
