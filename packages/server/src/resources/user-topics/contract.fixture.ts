import type { ChannelId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

/** Sets the policy of a topic of the channel `verona`. */
async function setPolicy({ client }: Person, topic: string, visibility_policy: 0 | 1 | 2 | 3) {
  const { stream_id } = await client.channels.id({ stream: 'verona' });
  return client.userTopics.set({ stream_id, topic, visibility_policy });
}

const start = ({ client }: Person, topic: string) =>
  client.messages.send({ type: 'channel', to: 'verona', topic, content: 'first' });

/** Follows a topic by starting it, and marks it as resolved. */
async function resolveFollowed(person: Person) {
  const { id } = await start(person, 'to do');
  return person.client.messages.edit({ message_id: id, topic: '\u2714 to do' });
}

/** A new person who follows every topic that they take part in. */
async function newFollower(chat: TestChat, name: string): Promise<Person> {
  const person = await chat.addPerson(name);
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ automatically_follow_topics_policy: 1 }) })
    .where('realm_id', '=', chat.realm.id)
    .where('id', '=', person.user.id)
    .execute();
  return person;
}

/** A channel with a topic that a person follows. */
async function channelWithFollowed({ client, user }: Person, name: string): Promise<ChannelId> {
  const { id: stream_id } = await client.channels.create({ name, subscribers: [user.id] });
  await client.userTopics.set({ stream_id, topic: 'news', visibility_policy: 3 });
  return stream_id;
}

export const fixture: ContractFixture = {
  samples: {
    'PATCH /users/me/subscriptions/muted_topics': () => ({
      stream: 'verona',
      topic: 'news',
      op: 'add',
    }),
  },
  parameters: { visibility_policy: () => 3 },
  declared: {
    'POST /user_topics user_topic': ({ chat }) => setPolicy(chat.people.hamlet, 'balcony', 3),
    'PATCH /users/me/subscriptions/muted_topics user_topic': ({ chat }) =>
      chat.people.hamlet.client.userTopics.mute({ stream: 'verona', topic: 'noise', op: 'add' }),
    'POST /messages user_topic': ({ chat }) => start(chat.people.hamlet, 'a new topic'),
    'POST /messages/{message_id}/reactions user_topic': async ({ chat }) => {
      const { id } = await start(chat.people.hamlet, 'reactions');
      const reader = await newFollower(chat, 'reader');
      return reader.client.reactions.add({ message_id: id, emoji_name: 'tada' });
    },
    'PATCH /messages/{message_id} user_topic': ({ chat }) => resolveFollowed(chat.people.hamlet),
    'DELETE /streams/{stream_id} user_topic': async ({ chat: { people } }) => {
      const { client } = people.hamlet;
      const stream_id = await channelWithFollowed(people.hamlet, 'to be archived');
      return client.channels.archive({ stream_id });
    },
    'PATCH /streams/{stream_id} user_topic': async ({ chat: { people } }) => {
      const { client } = people.hamlet;
      const stream_id = await channelWithFollowed(people.hamlet, 'archived once');
      await client.channels.archive({ stream_id });
      return client.channels.update({ stream_id, is_archived: false });
    },
    'POST /submessage user_topic': async ({ chat }) => {
      const { id } = await chat.people.hamlet.client.messages.send({
        type: 'channel',
        to: 'verona',
        topic: 'polls',
        content: '/poll When?\nnow',
      });
      const voter = await newFollower(chat, 'voter');
      const content = '{"type":"vote","key":"canned,0","vote":1}';
      return voter.client.submessages.add({ message_id: id, msg_type: 'widget', content });
    },
  },
  changes: {
    'topics muted, followed and reset': async ({ people: { hamlet } }) => {
      await setPolicy(hamlet, 'zzz', 3);
      await setPolicy(hamlet, 'aaa', 1);
      await setPolicy(hamlet, 'ZZZ', 0);
      await setPolicy(hamlet, 'AAA', 2);
      await setPolicy(hamlet, '', 1);
    },
    'a topic followed, and resolved': ({ people }) => resolveFollowed(people.hamlet),
    'a topic followed by starting it': ({ people }) => start(people.hamlet, 'a start'),
  },
};
