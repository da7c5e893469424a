import { afterAll, beforeAll, expect, test } from 'vitest';

import { addWebhookBot, status } from '../webhooks/webhooks.fixture.ts';
import { startDeliveries } from './deliveries.fixture.ts';

let deliveries: Awaited<ReturnType<typeof startDeliveries>>;
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterAll(() => deliveries[Symbol.asyncDispose]());

test('a delivery is kept with its requests and answers, without secrets', async () => {
  const { bot, bot_id, receiver, send, ended } = deliveries;
  receiver.answer((response, { body }) =>
    response
      .writeHead(200, { 'set-cookie': 'session=secret', 'x-token': bot.token })
      .end(JSON.stringify({ content: 'hello', echo: body })),
  );
  const id = await send('tell nobody');
  const { attempts, ...delivery } = await ended(id);
  const request = receiver.received.at(-1);
  expect(delivery).toEqual({
    id: request?.headers['webhook-id'],
    bot_id,
    message_id: id,
    trigger: 'direct_message',
    excerpt: 'tell nobody',
    status: 'delivered',
    created_ms: expect.any(Number) as number,
    attempt_count: 1,
    next_attempt_ms: null,
    duration_ms: expect.any(Number) as number,
    http_status: 200,
    error_code: null,
    verdict: 'replied',
    reply: { outcome: 'sent', message_id: expect.any(Number) as number, reason: null },
    replay_of: null,
    replay_id: null,
    payload: request?.body.replaceAll(bot.token, '[redacted]'),
  });
  const reply = { bot_id, message_id: delivery.reply.message_id ?? undefined };
  const { botDeliveries } = deliveries.chat.people.hamlet.client;
  const { deliveries: answered } = await botDeliveries.list(reply);
  expect(answered.map((one) => one.id)).toEqual([delivery.id]);
  expect(Math.abs(delivery.created_ms - Date.now())).toBeLessThan(60_000);
  const [attempt] = attempts;
  expect(attempt).toMatchObject({
    number: 1,
    timing: {
      first_byte: expect.any(Number) as number,
      total: expect.any(Number) as number,
    },
    request: {
      url: receiver.url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': delivery.id,
        'webhook-timestamp': request?.headers['webhook-timestamp'],
        'webhook-signature': '[redacted]',
      },
    },
    response: {
      status: 200,
      headers: { 'set-cookie': '[redacted]', 'x-token': '[redacted]' },
      truncated: false,
    },
    error: null,
  });
  expect(JSON.stringify([delivery, attempts])).not.toContain(bot.token);
  expect(JSON.parse(attempt?.response?.body ?? '')).toMatchObject({ content: 'hello' });
});

test('administrators see deliveries without requests and answers, and cannot search in those', async () => {
  const { chat, bot_id, receiver, send, ended } = deliveries;
  const { hamlet, iago } = chat.people;
  receiver.answer('tell nobody the password');
  const { id } = await ended(await send('an unmistakable word'));
  const { delivery } = await iago.client.botDeliveries.get({ bot_id, delivery_id: id });
  expect(delivery).toMatchObject({ payload: null, excerpt: null });
  expect(delivery.attempts).toMatchObject([
    { response: { status: 200, body: null }, error: { code: 'not_json', near: null } },
  ]);
  const found = async ({ client }: typeof iago, search: string) =>
    (await client.botDeliveries.list({ bot_id, search })).deliveries.map((one) => one.id);
  for (const search of ['unmistakable', 'the password']) {
    expect(await found(hamlet, search)).toEqual([id]);
    expect(await found(iago, search)).toEqual([]);
  }
  expect(await found(iago, 'NOT JSON')).toContain(id);
  expect(await found(iago, '%_')).toEqual([]);
});

test('only the owner and administrators see deliveries, and only the owner calls the webhook', async () => {
  const { chat, bot_id, receiver, send, ended } = deliveries;
  receiver.answer('{}');
  const { id: delivery_id } = await ended(await send());
  const { cordelia, shiva, iago } = chat.people;
  for (const { client } of [cordelia, shiva]) {
    await expect(client.botDeliveries.list({ bot_id })).rejects.toThrow('Insufficient permission');
    await expect(client.botDeliveries.get({ bot_id, delivery_id })).rejects.toThrow(
      'Insufficient permission',
    );
  }
  const { botDeliveries } = iago.client;
  const before = receiver.received.length;
  for (const call of [
    () => botDeliveries.replay({ bot_id, delivery_id }),
    () => botDeliveries.replayMany({ bot_id, dry_run: true }),
    () => botDeliveries.stopReplay({ bot_id, replay_id: delivery_id }),
    () => botDeliveries.test({ bot_id }),
    () => botDeliveries.check({ bot_id }),
    () => botDeliveries.endpoint({ bot_id }),
  ])
    await expect(call()).rejects.toThrow('only the owner of the bot may do this');
  expect(receiver.received).toHaveLength(before);
});

test('pages follow each other without a gap, and filters narrow them', async () => {
  const { chat, receiver } = deliveries;
  const { client } = chat.people.hamlet;
  const { user_id: bot_id } = await addWebhookBot(chat, receiver.url, {
    full_name: 'Paged',
    short_name: 'paged',
  });
  const sent: number[] = [];
  for (const code of [200, 500, 200, 404, 500]) {
    receiver.answer(status(code, '{}'));
    const message = await deliveries.send('x', bot_id);
    await deliveries.ended(message, bot_id);
    sent.unshift(message);
  }
  const seen: (number | null)[] = [];
  let cursor: Parameters<typeof client.botDeliveries.list>[0]['cursor'];
  do {
    const page = await client.botDeliveries.list({
      bot_id,
      limit: 2,
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.deliveries.map(({ message_id }) => message_id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(sent);
  const count = async (filter: object) =>
    (await client.botDeliveries.list({ bot_id, ...filter })).deliveries.length;
  const [newest, before] = sent;
  expect(await count({ message_id: newest })).toBe(1);
  expect(await count({ message_id: before, status: 'failed' })).toBe(1);
  expect(await count({ message_id: before, status: 'delivered' })).toBe(0);
  expect(await count({ status: 'failed' })).toBe(3);
  expect(await count({ http_status: 500 })).toBe(2);
  expect(await count({ trigger: 'mention' })).toBe(0);
  expect(await count({ trigger: 'direct_message', status: 'delivered' })).toBe(2);
  const { deliveries: all } = await client.botDeliveries.list({ bot_id });
  const middle = all[2]?.created_ms;
  expect(await count({ after_ms: middle })).toBe(3);
  expect(await count({ before_ms: middle })).toBe(2);
  expect(await count({ after_ms: middle, before_ms: (middle ?? 0) + 1 })).toBe(1);
  const failed = { bot_id, status: 'failed', dry_run: true } as const;
  const { count: since } = await client.botDeliveries.replayMany({ ...failed, after_ms: middle });
  expect(since).toBe(2);
});

test('a delivery is visible before its first attempt ends', async () => {
  const { receiver, send, list, inState } = deliveries;
  const { promise: held, resolve: hold } = Promise.withResolvers<{ end: (body: string) => void }>();
  receiver.answer(hold);
  const id = await send();
  const response = await held;
  const [first] = await list();
  expect(first).toMatchObject({
    message_id: id,
    status: 'running',
    attempt_count: 1,
    verdict: 'waits for the answer',
  });
  const running = await inState((delivery) => delivery.message_id === id, ['running']);
  expect(running).toMatchObject({ payload: null, attempts: [] });
  response.end('{}');
  expect(await deliveries.ended(id)).toMatchObject({ status: 'delivered', id: first?.id });
});

test('deleting a message deletes its deliveries', async () => {
  const { chat, bot_id, receiver, ended, list } = deliveries;
  receiver.answer('{}');
  const { desdemona, cordelia } = chat.people;
  const to = [bot_id, desdemona.user.id];
  const { id: message_id } = await cordelia.client.messages.send({
    type: 'direct',
    to,
    content: 'x',
  });
  const { id } = await ended(message_id);
  await desdemona.client.messages.remove({ message_id });
  expect((await list()).map((delivery) => delivery.id)).not.toContain(id);
});

test('a bot without a webhook has no deliveries', async () => {
  const { client } = deliveries.chat.people.hamlet;
  const { user_id: bot_id } = await client.bots.create({ full_name: 'Plain', short_name: 'plain' });
  await expect(client.botDeliveries.list({ bot_id })).rejects.toThrow(
    'This is not an outgoing webhook bot',
  );
});
