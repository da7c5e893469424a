import type { MessageId } from '@bellhop/protocol';
import { type Person, recipientFlags, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Channels of each kind, and their subscribers beside Iago, who moves the messages. */
const channels = {
  open: { who: ['hamlet', 'polonius'], settings: {} },
  'open too': { who: ['cordelia'], settings: {} },
  private: { who: ['hamlet', 'cordelia'], settings: { invite_only: true } },
  secret: {
    who: ['cordelia', 'polonius'],
    settings: { invite_only: true, history_public_to_subscribers: false },
  },
} as const;
type Name = keyof typeof channels;
const names = Object.keys(channels) as Name[];
const pairs = names.flatMap((from) =>
  names.filter((to) => to !== from).map((to) => [from, to] as const),
);

let chat: TestChat;
let everybody: readonly Person[];
beforeAll(async () => {
  chat = await startTestChat();
  const { people } = chat;
  everybody = Object.values(people);
  for (const [name, { who, settings }] of Object.entries(channels))
    await people.iago.client.subscriptions.add({
      subscriptions: [{ name }],
      principals: [people.iago, ...who.map((person) => people[person])].map(({ user }) => user.id),
      ...settings,
    });
});
afterAll(() => chat[Symbol.asyncDispose]());

const reads = ({ client }: Person, message_id: MessageId): Promise<boolean> =>
  client.messages.fetchOne({ message_id }).then(
    () => true,
    () => false,
  );

/** Registers a queue for changed messages and returns the types of its events so far. */
async function listen({ client }: Person) {
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['update_message', 'delete_message'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return async () => {
    const answer = await client.queues.events({ queue_id, last_event_id, dont_block: true });
    return answer.events.map(({ type }) => type);
  };
}

describe('the events of a moved message go only to its readers', () => {
  test.each(pairs)('moved from %s to %s', async (from, to) => {
    const { client } = chat.people.iago;
    const sent = { type: 'channel', to: from, topic: `to ${to}`, content: 'x' } as const;
    const { id } = await client.messages.send(sent);
    const { stream_id } = await client.channels.id({ stream: to });
    const before = await Promise.all(everybody.map((person) => reads(person, id)));
    const queues = await Promise.all(everybody.map(listen));
    await client.messages.edit({ message_id: id, stream_id });
    const after = await Promise.all(everybody.map((person) => reads(person, id)));
    const heard = await Promise.all(queues.map((queue) => queue()));
    for (const [at, { email, user }] of everybody.entries()) {
      const expected = !before[at] ? [] : after[at] ? ['update_message'] : ['delete_message'];
      const isIn = (name: Name) =>
        channels[name].who.some((person) => chat.people[person].user.id === user.id);
      // A reader who is subscribed to neither channel gets no events of it.
      const follows = email.startsWith('iago') || isIn(from) || isIn(to);
      expect(heard[at], email).toEqual(follows ? expected : []);
    }
    expect(heard.flat()).toContain('update_message');
    const received = await recipientFlags(chat.server.app.db.kysely, chat.realm.id, id);
    const holders = received.map((one) => one.user_id);
    expect(holders).toContain(chat.people.iago.user.id);
    for (const [at, { user, email }] of everybody.entries())
      if (!after[at]) expect(holders, email).not.toContain(user.id);
  });
});
