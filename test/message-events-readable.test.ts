import { roles } from '@bellhop/protocol';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let everybody: readonly Person[];
beforeAll(async () => {
  chat = await startTestChat();
  const { people } = chat;
  const guest = await chat.addPerson('osric', roles.guest);
  everybody = [...Object.values(people), guest];
  const { iago, hamlet, cordelia, polonius } = people;
  const channel = (name: string, who: readonly Person[], settings: object = {}) =>
    iago.client.subscriptions.add({
      subscriptions: [{ name }],
      principals: who.map(({ user }) => user.id),
      ...settings,
    });
  await channel('public', [hamlet, iago]);
  await channel('private', [hamlet, iago, polonius], { invite_only: true });
  await channel('secret', [iago, cordelia], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Registers a queue. The function returned resolves with the ids of its messages. */
async function listen({ client }: Person, all_public_streams: boolean) {
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
    all_public_streams,
  });
  if (queue_id === null) throw new Error('no queue');
  return async () => {
    const poll = { queue_id, last_event_id, dont_block: true };
    const { events } = await client.queues.events(poll);
    return events.map((event) => (event['message'] as { id: number }).id);
  };
}

/** The ids of the messages that a person can fetch. */
async function readable({ client }: Person, ids: readonly number[]): Promise<number[]> {
  const asked = ids.map(async (id) => {
    const answer = await client.messages.fetchOne({ message_id: id as never }).catch(() => null);
    return answer ? [id] : [];
  });
  return (await Promise.all(asked)).flat();
}

test('an event queue has exactly the messages that its user can fetch', async () => {
  const queues = await Promise.all(
    everybody.flatMap((person) =>
      [false, ...(person.user.role === roles.guest ? [] : [true])].map(async (wide) => ({
        person,
        wide,
        heard: await listen(person, wide),
      })),
    ),
  );
  const sent: number[] = [];
  const send = async (by: Person, message: { to: string | number[]; topic?: string }) => {
    const type = message.topic === undefined ? 'direct' : 'channel';
    const asked = { type, content: '@**all** @**Hamlet** hello', ...message } as const;
    const answer = await by.client.messages.send(asked as never).catch(() => null);
    if (answer) sent.push(answer.id);
  };
  for (const by of everybody) {
    for (const to of ['public', 'private', 'secret']) await send(by, { to, topic: 'plans' });
    for (const other of everybody) await send(by, { to: [other.user.id] });
    await send(by, { to: everybody.slice(2, 5).map(({ user }) => user.id) });
  }
  expect(sent.length).toBeGreaterThan(50);
  for (const { person, wide, heard } of queues) {
    const ids = await heard();
    expect(new Set(ids).size).toBe(ids.length);
    const name = `${person.email}${wide ? ', all public channels' : ''}`;
    expect(await readable(person, ids), name).toEqual(ids);
    if (wide) expect(ids, name).toEqual(await readable(person, sent));
    expect(ids.length, name).toBeGreaterThan(5);
    expect(ids.length, name).toBeLessThan(sent.length);
  }
});
