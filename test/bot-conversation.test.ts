import { createBot } from '@bellhop/bot';
import { listener } from '@bellhop/bot/node';
import { listen } from '@bellhop/http';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

test('a bot created through the API answers with the bot framework', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { queue_id, last_event_id } = await hamlet.client.queues.register({
    event_types: ['realm_bot', 'message'],
    apply_markdown: false,
  });
  if (queue_id === null) throw new Error('no queue');
  let answering: Parameters<typeof listen>[0] = (_request, response) => response.end('{}');
  const door = await listen((request, response) => answering(request, response));
  await using _closing = { [Symbol.asyncDispose]: () => door.stop() };
  const { user_id } = await hamlet.client.bots.create({
    full_name: 'Adder',
    short_name: 'adder',
    bot_type: 3,
    payload_url: door.url,
  });
  let last = last_event_id;
  const next = async () => {
    const { events } = await hamlet.client.queues.events({ queue_id, last_event_id: last });
    last = events.at(-1)?.id ?? last;
    return events as readonly Record<string, unknown>[];
  };
  const [announced = {}] = await next();
  const token = (announced['bot'] as { services: { token: string }[] }).services[0]?.token;
  const bot = createBot({ email: 'adder-bot@chat.test', token }).command(
    'add <numbers:number...>',
    ({ args }) => String(args.numbers.reduce((sum, number) => sum + number, 0)),
  );
  answering = listener([bot]);
  await hamlet.client.messages.send({ type: 'direct', to: [user_id], content: 'add 2 40' });
  const said: unknown[] = [];
  while (said.length < 2)
    for (const { message } of await next())
      said.push((message as { content: string } | undefined)?.content);
  expect(said).toEqual(['add 2 40', '42']);
});
