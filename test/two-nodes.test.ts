import { createClient } from '@bellhop/client';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

test('a poll on one server is answered by a message sent on another', async () => {
  await using chat = await startTestChat();
  const other = await chat.anotherNode();
  const { hamlet, cordelia } = chat.people;
  const there = createClient({ url: other.url, email: hamlet.email, apiKey: hamlet.api_key });
  const { queue_id, last_event_id } = await cordelia.client.queues.register({
    event_types: ['message'],
  });
  if (queue_id === null) throw new Error('no queue');
  const poll = cordelia.client.queues.events({ queue_id, last_event_id });
  await there.messages.send({ type: 'direct', to: [cordelia.user.id], content: 'over there' });
  const { events } = await poll;
  expect(events).toMatchObject([{ type: 'message', message: { content: 'over there' } }]);
});

test('a person gets on one node what is sent to a channel on another while they are subscribed, and nothing before or after', async () => {
  await using chat = await startTestChat();
  const other = await chat.anotherNode();
  const { hamlet, cordelia, polonius } = chat.people;
  const there = createClient({ url: other.url, email: hamlet.email, apiKey: hamlet.api_key });
  const subscriptions = [{ name: 'garden' }];
  await hamlet.client.subscriptions.add({ subscriptions });
  const content = 'here';
  const send = () => there.messages.send({ type: 'channel', to: 'garden', topic: 'x', content });
  // Who is subscribed by others also gets a direct message that says so.
  const narrow = [{ operator: 'channel', operand: 'garden', negated: false }];
  const queues = await Promise.all(
    [cordelia, polonius].map(async ({ client }) => {
      const registered = await client.queues.register({ event_types: ['message'], narrow });
      const { queue_id, last_event_id } = registered;
      if (queue_id === null) throw new Error('no queue');
      return () => client.queues.events({ queue_id, last_event_id, dont_block: true });
    }),
  );
  const heard = async () =>
    (await Promise.all(queues.map((poll) => poll()))).map(({ events }) => events);
  await send();
  expect(await heard()).toEqual([[], []]);
  const invite = (person: typeof cordelia) =>
    there.subscriptions.add({ subscriptions, principals: [person.user.id] });
  await invite(cordelia);
  const { id: first } = await send();
  await cordelia.client.subscriptions.remove({ subscriptions: ['garden'] });
  await invite(polonius);
  const { id: second } = await send();
  expect(await heard()).toMatchObject([
    [{ message: { id: first } }],
    [{ message: { id: second } }],
  ]);
});

test('a queue registered on one server can be polled on another, and a second poll ends the first', async () => {
  await using chat = await startTestChat();
  const other = await chat.anotherNode();
  const { hamlet, cordelia } = chat.people;
  const there = createClient({ url: other.url, email: cordelia.email, apiKey: cordelia.api_key });
  const { queue_id, last_event_id } = await cordelia.client.queues.register({
    event_types: ['message'],
  });
  if (queue_id === null) throw new Error('no queue');
  const heard = Promise.withResolvers<void>();
  await other.server.app.db.listen('bellhop_polls', (text) => {
    if (text.endsWith(queue_id)) heard.resolve();
  });
  const first = cordelia.client.queues.events({ queue_id, last_event_id });
  const waiting = () => chat.server.app.queues.waiting;
  while (waiting() === 0) await new Promise(setImmediate);
  // What the first poll tells the other server ends the polls there that began before it heard of it.
  await heard.promise;
  const second = there.queues.events({ queue_id, last_event_id });
  expect((await first).events).toEqual([]);
  await hamlet.client.messages.send({ type: 'direct', to: [cordelia.user.id], content: 'moved' });
  expect((await second).events).toMatchObject([{ message: { content: 'moved' } }]);
});
