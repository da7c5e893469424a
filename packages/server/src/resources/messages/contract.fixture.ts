import { type Api, type AskOf, ChannelId, MessageId } from '@bellhop/protocol';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';

const crowd = { type: 'channel' as const, to: 'crowd', topic: 'all' };
let plazas = 0;
let emptied = 0;
const verona = { type: 'channel' as const, to: 'verona', topic: 'news' };

/** Sends a direct message of this user to themselves. */
async function toSelf({ client, user }: Person) {
  const to = [user.id];
  return (await client.messages.send({ type: 'direct', to, content: 'a sample' })).id;
}

/** Has Hamlet send a message to the crowd and edit it. */
async function edited(
  { chat }: ContractStage,
  changes: Omit<AskOf<Api['messages']['edit']>, 'message_id'>,
) {
  const { client } = chat.people.hamlet;
  const { id } = await client.messages.send({ ...crowd, content: 'hello' });
  return client.messages.edit({ message_id: id, ...changes });
}

/** Has somebody send a message with a file they have uploaded. */
async function sendFile({ client }: Person): Promise<MessageId> {
  const { url } = await client.uploads.create({}, { file: new File(['hello'], 'hello.txt') });
  return (await client.messages.send({ ...crowd, content: `[hello](${url})` })).id;
}

/** A topic of the channel `verona`, with a message. */
async function newsOf({ client }: Person) {
  await client.messages.send({ ...verona, content: 'a sample' });
  const { stream_id } = await client.channels.id({ stream: 'verona' });
  return { stream_id: String(stream_id), topic_name: verona.topic };
}

/** Gives the realm an empty moderation channel, and returns a message to report. */
async function reportable({ people: { desdemona } }: TestChat): Promise<MessageId> {
  const { id } = await desdemona.client.messages.send({ ...verona, content: 'a sample' });
  const stream = await emptyChannel(desdemona, { invite_only: true });
  const { stream_id } = await desdemona.client.channels.id({ stream });
  await desdemona.client.realms.update({ moderation_request_channel_id: stream_id });
  return id;
}
const report = async (chat: TestChat) =>
  chat.people.desdemona.client.messages.report({
    message_id: await reportable(chat),
    report_type: 'spam',
  });

/** Has Iago receive an unread message in the channel `verona`, and returns its address. */
async function unreadNews({ people: { hamlet, iago } }: TestChat) {
  const { id } = await hamlet.client.messages.send({ ...verona, content: 'news' });
  const { stream_id } = await hamlet.client.channels.id({ stream: 'verona' });
  return { ...iago.client.messages, id, stream_id };
}

/** The notice that a new channel begins with. */
async function firstMessageOf({ client }: Pick<Person, 'client'>, channel: string) {
  const { streams } = await client.channels.list();
  return MessageId.parse(streams.find(({ name }) => name === channel)?.first_message_id);
}

/** Creates a channel and deletes its only message. Returns its name. */
async function emptyChannel({ client }: Person, { invite_only = false } = {}): Promise<string> {
  const name = `emptied ${++emptied}`;
  await client.subscriptions.add({ subscriptions: [{ name }], invite_only });
  await client.messages.remove({ message_id: await firstMessageOf({ client }, name) });
  return name;
}
const sendToEmptied = async (person: Person) =>
  person.client.messages.send({
    ...verona,
    to: await emptyChannel(person),
    content: 'hello',
  });

const sendTo = ({ client }: Person, ...others: Person[]) =>
  client.messages.send({
    type: 'direct',
    to: others.map(({ user }) => user.id),
    content: 'hello',
  });

/** A message in a new channel that everybody reads without a login, and the name of the channel. */
async function inPlaza(chat: TestChat): Promise<{ id: MessageId; to: string }> {
  const { hamlet } = chat.people;
  const to = `plaza ${++plazas}`;
  await addChannel(chat, { name: to, subscribers: [hamlet], is_web_public: true });
  return { ...(await hamlet.client.messages.send({ ...verona, to, content: 'x' })), to };
}

export const fixture: ContractFixture = {
  spectators: {
    'GET /messages': async (chat) => {
      const narrow = JSON.stringify([['channel', (await inPlaza(chat)).to]]);
      return { anchor: 'newest', num_before: '5', narrow };
    },
    'GET /messages/{message_id}': async (chat) => ({
      message_id: String((await inPlaza(chat)).id),
    }),
  },
  samples: {
    'POST /messages': ({ people }: TestChat) => ({
      type: 'direct',
      to: `[${people.iago.user.id}]`,
      content: 'x',
    }),
    'PATCH /messages/{message_id}': async (_chat, caller) => ({
      message_id: String(await toSelf(caller)),
      content: 'y',
    }),
    'GET /messages': () => ({ anchor: 'newest', num_before: '5' }),
    'POST /messages/flags': async (_chat, caller) => ({
      messages: `[${await toSelf(caller)}]`,
      op: 'add',
      flag: 'starred',
    }),
    'POST /messages/flags/narrow': () => ({
      anchor: 'newest',
      num_before: '5',
      num_after: '0',
      op: 'add',
      flag: 'starred',
    }),
    'POST /messages/{message_id}/report': async (chat) => ({
      message_id: String(await reportable(chat)),
      report_type: 'spam',
    }),
    'POST /mark_topic_as_read': ({ people }) => newsOf(people.desdemona),
  },
  parameters: { message_id: (_chat, caller) => toSelf(caller) },
  declared: {
    'POST /messages STREAM_DOES_NOT_EXIST': ({ chat }) =>
      chat.people.hamlet.client.messages.send({ ...crowd, to: 'nowhere', content: 'x' }),
    'POST /messages STREAM_WILDCARD_MENTION_NOT_ALLOWED': ({ chat }) =>
      chat.people.hamlet.client.messages.send({ ...crowd, content: '@**all**' }),
    'POST /messages TOPIC_WILDCARD_MENTION_NOT_ALLOWED': async ({ chat, crowd: all }) => {
      for (const { client } of all) await client.messages.send({ ...crowd, content: 'here' });
      return chat.people.hamlet.client.messages.send({ ...crowd, content: '@**topic**' });
    },
    'POST /messages message': ({ chat }) =>
      chat.people.hamlet.client.messages.send({ ...crowd, content: 'hello' }),
    'POST /messages stream': ({ chat }) => sendToEmptied(chat.people.iago),
    'POST /messages attachment': ({ chat }) => sendFile(chat.people.hamlet),
    'PATCH /messages/{message_id} attachment': async (stage) => {
      const file = new File(['hello'], 'hello.txt');
      const { url } = await stage.chat.people.hamlet.client.uploads.create({}, { file });
      return edited(stage, { content: `[hello](${url})` });
    },
    'DELETE /messages/{message_id} attachment': async ({ chat: { people } }) =>
      people.iago.client.messages.remove({ message_id: await sendFile(people.iago) }),
    'PATCH /messages/{message_id} update_message': (stage) =>
      edited(stage, { content: 'hello there' }),
    'PATCH /messages/{message_id} EXPECTATION_MISMATCH': (stage) =>
      edited(stage, { content: 'x', prev_content_sha256: '0' }),
    'PATCH /messages/{message_id} STREAM_WILDCARD_MENTION_NOT_ALLOWED': (stage) =>
      edited(stage, { content: '@**all**' }),
    'PATCH /messages/{message_id} TOPIC_WILDCARD_MENTION_NOT_ALLOWED': (stage) =>
      edited(stage, { content: '@**topic**' }),
    'PATCH /messages/{message_id} message': (stage) => edited(stage, { topic: 'elsewhere' }),
    'PATCH /messages/{message_id} STREAM_DOES_NOT_EXIST': (stage) =>
      edited(stage, { stream_id: ChannelId.parse(999_999) }),
    'PATCH /messages/{message_id} MOVE_MESSAGES_TIME_LIMIT_EXCEEDED': async ({ chat }) => {
      const { iago, hamlet } = chat.people;
      const { id } = await iago.client.messages.send({ ...crowd, topic: 'old', content: 'past' });
      await chat.server.app.db.kysely
        .updateTable('message')
        .set({ sent_at: 1 })
        .where('realm_id', '=', chat.realm.id)
        .where('id', '=', id)
        .execute();
      const newest = await hamlet.client.messages.send({ ...crowd, topic: 'old', content: 'now' });
      const all = { topic: 'new', propagate_mode: 'change_all' } as const;
      return hamlet.client.messages.edit({ message_id: newest.id, ...all });
    },
    'PATCH /messages/{message_id} delete_message stream': async ({ chat: { people } }) => {
      const { iago, cordelia } = people;
      await iago.client.subscriptions.add({
        subscriptions: [{ name: 'closed' }],
        invite_only: true,
      });
      const { stream_id } = await iago.client.channels.id({ stream: 'closed' });
      await iago.client.subscriptions.add({
        subscriptions: [{ name: 'open' }],
        principals: [iago.user.id, cordelia.user.id],
      });
      const message_id = await firstMessageOf(iago, 'open');
      return iago.client.messages.edit({ message_id, stream_id });
    },
    'DELETE /messages/{message_id} delete_message stream': async ({ chat: { people } }) => {
      await people.iago.client.subscriptions.add({ subscriptions: [{ name: 'brief' }] });
      const message_id = await firstMessageOf(people.iago, 'brief');
      return people.iago.client.messages.remove({ message_id });
    },
    'GET /messages/matches_narrow BAD_NARROW': ({ chat }) =>
      chat.people.hamlet.client.messages.matchesNarrow({
        msg_ids: [],
        narrow: [{ operator: 'no-such', operand: 'x' }],
      }),
    'POST /messages/{message_id}/report message stream': ({ chat }) => report(chat),
    'POST /messages/flags update_message_flags': async ({ chat }) => {
      const { id, setFlag } = await unreadNews(chat);
      return setFlag({ messages: [id], op: 'add', flag: 'read' });
    },
    'POST /messages/flags/narrow update_message_flags': async ({ chat }) => {
      const { id, setFlagInNarrow } = await unreadNews(chat);
      const range = { anchor: id, num_before: 0, num_after: 0 };
      return setFlagInNarrow({ ...range, op: 'add', flag: 'read' });
    },
    'POST /messages/flags/narrow BAD_NARROW': ({ chat }) =>
      chat.people.hamlet.client.messages.setFlagInNarrow({
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'no-such', operand: 'x' }],
        op: 'add',
        flag: 'read',
      }),
    'POST /mark_all_as_read update_message_flags': async ({ chat }) =>
      (await unreadNews(chat)).markAllAsRead({}),
    'POST /mark_stream_as_read update_message_flags': async ({ chat }) => {
      const { stream_id, markChannelAsRead } = await unreadNews(chat);
      return markChannelAsRead({ stream_id });
    },
    'POST /mark_topic_as_read update_message_flags': async ({ chat }) => {
      const { stream_id, markTopicAsRead } = await unreadNews(chat);
      return markTopicAsRead({ stream_id, topic_name: verona.topic });
    },
    'GET /messages BAD_NARROW': ({ chat }) =>
      chat.people.hamlet.client.messages.fetch({
        anchor: 'newest',
        narrow: [{ operator: 'no-such', operand: 'x' }],
      }),
  },
  changes: {
    'a channel message': ({ people }) =>
      people.hamlet.client.messages.send({ ...verona, content: 'hello' }),
    'the first message of a channel that had become empty': ({ people }) =>
      sendToEmptied(people.iago),
    'a report in an empty moderation channel': report,
    'a mention of everybody': ({ people }) =>
      people.iago.client.messages.send({ ...verona, content: '@**all** hello' }),
    'a message in the empty topic': ({ people }) =>
      people.hamlet.client.messages.send({ ...verona, topic: '', content: 'hello' }),
    'a direct message': ({ people }) => sendTo(people.hamlet, people.polonius),
    'a direct message to three users': ({ people }) =>
      sendTo(people.iago, people.hamlet, people.polonius, people.desdemona),
    'messages starred, read, unread again and all read': async (chat) => {
      const { iago, hamlet, polonius } = chat.people;
      const { id } = await unreadNews(chat);
      const letter = await sendTo(hamlet, iago);
      const group = await sendTo(hamlet, iago, polonius);
      const mention = await hamlet.client.messages.send({ ...verona, content: '@**Iago** hear' });
      const messages = [id, letter.id, group.id, mention.id];
      const { setFlag, markAllAsRead } = iago.client.messages;
      await setFlag({ messages, op: 'add', flag: 'starred' });
      await setFlag({ messages: [letter.id], op: 'remove', flag: 'starred' });
      await setFlag({ messages, op: 'add', flag: 'read' });
      await setFlag({ messages, op: 'remove', flag: 'read' });
      await polonius.client.messages.markAllAsRead({});
      await markAllAsRead({});
      await setFlag({ messages: [group.id, mention.id], op: 'remove', flag: 'read' });
    },
    'a message starred by somebody who had not received it': async ({ people }) => {
      const { id } = await people.hamlet.client.messages.send({ ...verona, content: 'a star' });
      const { setFlag } = people.cordelia.client.messages;
      await setFlag({ messages: [id], op: 'add', flag: 'starred' });
    },
    'unread messages of a topic that is muted, then followed': async (chat) => {
      const { id, stream_id } = await unreadNews(chat);
      const { client } = chat.people.iago;
      const topic = { stream_id, topic: verona.topic.toUpperCase() };
      await client.userTopics.set({ ...topic, visibility_policy: 1 });
      await unreadNews(chat);
      await client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
      await client.userTopics.set({ ...topic, visibility_policy: 3 });
    },
    'a direct message to oneself': ({ people }) => sendTo(people.hamlet, people.hamlet),
  },
};
