import type { QueuedEvent } from '@bellhop/protocol';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { removeOld } from '../../model/bot-deliveries/delivery-rows.ts';
import { signatureHeaders } from '../../model/bots/webhook-request.ts';
import type { Person } from '../../test-chat.fixture.ts';
import { addWebhookBot, inboxOf, status } from '../webhooks/webhooks.fixture.ts';
import { startDeliveries } from './deliveries.fixture.ts';

let deliveries: Awaited<ReturnType<typeof startDeliveries>>;
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterAll(() => deliveries[Symbol.asyncDispose]());

const owner = () => deliveries.chat.people.hamlet.client.botDeliveries;
const serviceOf = (user_id: number) =>
  deliveries.chat.server.app.db.kysely
    .selectFrom('bot_service')
    .selectAll()
    .where('user_id', '=', user_id as never)
    .executeTakeFirstOrThrow();

test('a replay sends the same text as a new delivery with a new signature, and nobody sees its reply', async () => {
  const { bot, bot_id, chat, receiver, send, ended } = deliveries;
  receiver.answer(status(500));
  const message_id = await send('once more');
  const { id: delivery_id } = await ended(message_id);
  const first = receiver.received.at(-1);
  receiver.answer('{"content":"now it works"}');
  const inbox = await inboxOf(chat.people.cordelia);
  const { delivery_id: again } = await owner().replay({ bot_id, delivery_id });
  const replayed = await ended(again);
  const second = receiver.received.at(-1);
  expect(replayed).toMatchObject({
    status: 'delivered',
    verdict: 'replied',
    message_id,
    replay_of: delivery_id,
    reply: { outcome: 'withheld', message_id: null },
    attempt_count: 1,
  });
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(again);
  expect(second?.headers).toMatchObject(
    signatureHeaders(bot.token, {
      id: again,
      timestamp: Number(second?.headers['webhook-timestamp']),
      body: second?.body ?? '',
    }),
  );
  expect(await inbox.rest()).toEqual([]);
});

test('the reply of a replay is sent if the request asks for it', async () => {
  const { bot_id, chat, receiver, send, ended } = deliveries;
  receiver.answer('{}');
  const { id: delivery_id } = await ended(await send());
  receiver.answer('{"content":"better late"}');
  const inbox = await inboxOf(chat.people.cordelia);
  const { delivery_id: again } = await owner().replay({ bot_id, delivery_id, send_reply: true });
  const { reply } = await ended(again);
  expect(await inbox.next()).toMatchObject({ content: 'better late', id: reply.message_id });
});

test('a replay may have another payload, in which the mask of the token becomes the token', async () => {
  const { bot, bot_id, receiver, send, ended } = deliveries;
  receiver.answer('{}');
  const { id: delivery_id, payload } = await ended(await send('[redacted]'));
  const edited = payload?.replace('direct_message', 'mention') ?? '';
  const { delivery_id: again } = await owner().replay({ bot_id, delivery_id, payload: edited });
  expect((await ended(again)).payload).toBe(edited);
  const sent = JSON.parse(receiver.received.at(-1)?.body ?? '') as Record<string, unknown>;
  expect(sent).toMatchObject({ token: bot.token, trigger: 'mention', data: '[redacted]' });
});

test('a replay never counts for the health of the endpoint, is not retried and posts no notice', async () => {
  const { bot_id, chat, receiver, send, ended } = deliveries;
  receiver.answer('{}');
  const { id: delivery_id } = await ended(await send());
  const before = await serviceOf(bot_id);
  const inbox = await inboxOf(chat.people.cordelia);
  receiver.answer(status(410));
  const gone = await ended((await owner().replay({ bot_id, delivery_id })).delivery_id);
  expect(gone).toMatchObject({ status: 'failed', http_status: 410, attempt_count: 1 });
  receiver.answer((response) => void response.destroy());
  const cut = await ended((await owner().replay({ bot_id, delivery_id })).delivery_id);
  expect(cut).toMatchObject({ status: 'failed', error_code: 'closed', attempt_count: 1 });
  expect(await serviceOf(bot_id)).toEqual(before);
  expect(await inbox.rest()).toEqual([]);
});

test('a stopped replay of many deliveries does not send those that still wait', async () => {
  const { chat, receiver, ended, list } = deliveries;
  const { user_id: bot_id } = await addWebhookBot(chat, receiver.url, {
    full_name: 'Stopped',
    short_name: 'stopped',
  });
  receiver.answer('{}');
  const many = 40;
  const sent: number[] = [];
  for (let count = 0; count < many; count++) sent.push(await deliveries.send('x', bot_id));
  await Promise.all(sent.map((id) => ended(id, bot_id)));
  const held: { end: (body: string) => void }[] = [];
  let answers = false;
  receiver.answer((response) => {
    held.push(response);
    if (answers) response.end('{}');
  });
  const { replay_id } = await owner().replayMany({ bot_id });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  const stop = { bot_id, replay_id: replay_id ?? '' };
  expect((await owner().stopReplay(stop)).count).toBeGreaterThan(0);
  answers = true;
  for (const response of held) response.end('{}');
  const replays = async () => (await list({ of: bot_id })).slice(0, many);
  const over = async () => Map.groupBy(await replays(), ({ status }) => status);
  await expect
    .poll(async () => [...(await over()).keys()].toSorted())
    .toEqual(['delivered', 'dropped']);
  expect((await over()).get('delivered')).toHaveLength(held.length);
  expect(await owner().stopReplay(stop)).toMatchObject({ count: 0 });
});

test('a replay of many deliveries can count them without sending', async () => {
  const { chat, receiver, ended, list } = deliveries;
  const { user_id: bot_id } = await addWebhookBot(chat, receiver.url, {
    full_name: 'Many',
    short_name: 'many',
  });
  for (const code of [500, 500, 200]) {
    receiver.answer(status(code, '{}'));
    await ended(await deliveries.send('x', bot_id), bot_id);
  }
  receiver.answer('{}');
  const failed = { bot_id, status: 'failed' as const };
  expect(await owner().replayMany({ ...failed, dry_run: true })).toMatchObject({
    count: 2,
    replay_id: null,
  });
  const { count, replay_id } = await owner().replayMany(failed);
  expect(count).toBe(2);
  await expect
    .poll(async () =>
      (await list({ of: bot_id })).filter(
        (one) => one.replay_id === replay_id && one.status === 'delivered',
      ),
    )
    .toHaveLength(2);
});

test('a message that was not sent because the webhook was disabled is sent by a replay', async () => {
  const { chat, receiver, ended } = deliveries;
  const { user_id: bot_id } = await addWebhookBot(chat, receiver.url, {
    full_name: 'Off',
    short_name: 'off',
  });
  receiver.answer(status(410));
  await ended(await deliveries.send('x', bot_id), bot_id);
  const message_id = await deliveries.send('lost', bot_id);
  const dropped = await ended(message_id, bot_id);
  expect(dropped).toMatchObject({ status: 'dropped', error_code: 'disabled', attempts: [] });
  expect((await owner().endpoint({ bot_id })).endpoint).toMatchObject({
    state: 'disabled',
    reason: expect.stringContaining('setting the payload URL enables it') as string,
  });
  receiver.answer('{}');
  const { delivery_id } = await owner().replay({ bot_id, delivery_id: dropped.id });
  expect(await ended(delivery_id, bot_id)).toMatchObject({ status: 'delivered', message_id });
  expect(receiver.received.at(-1)?.body).toContain('"data":"lost"');
});

test('a test delivery has a direct message that is not stored', async () => {
  const { bot, bot_id, receiver, ended } = deliveries;
  receiver.answer('{"content":"I hear you"}');
  const { delivery_id } = await owner().test({ bot_id });
  expect(await ended(delivery_id)).toMatchObject({
    trigger: 'test',
    message_id: null,
    status: 'delivered',
    reply: { outcome: 'withheld' },
  });
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
    token: bot.token,
    trigger: 'direct_message',
    message: { sender_email: 'hamlet@chat.test' },
  });
});

test('the endpoint is checked step by step', async () => {
  const { bot_id, chat, receiver } = deliveries;
  receiver.answer(status(405));
  const { steps } = await owner().check({ bot_id });
  expect(steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'dns skipped',
    'guard ok',
    'connect ok',
    'tls skipped',
    'http ok',
  ]);
  expect(steps.at(-1)?.detail).toBe('answers a GET with 405; deliveries are POST requests');
  const inside = await addWebhookBot(chat, 'http://192.0.2.7/', {
    full_name: 'Inside',
    short_name: 'inside',
  });
  const refused = (await owner().check({ bot_id: inside.user_id })).steps;
  expect(refused.map(({ outcome }) => outcome)).toEqual([
    'skipped',
    'failed',
    'skipped',
    'skipped',
    'skipped',
  ]);
  expect(refused[1]?.detail).toContain('not on the public internet');
});

test('a bot can check whether its token is valid', async () => {
  const { bot, bot_id, chat, receiver } = deliveries;
  const { client } = chat.people.hamlet;
  const { api_key } = await client.bots.regenerateApiKey({ bot_id });
  const verify = async (token: string) => {
    const credentials = { ...chat.people.hamlet, email: 'echo-bot@chat.test', api_key };
    return (await chat.ask(credentials, 'POST /bots/me/endpoint/verify', { token })).body;
  };
  expect(await verify(bot.token)).toMatchObject({
    token: 'current',
    endpoint: { payload_url: receiver.url, state: 'working' },
  });
  expect(await verify('x'.repeat(32))).toMatchObject({ token: 'wrong' });
  const { token } = await client.bots.regenerateToken({ bot_id, keep_old_seconds: 60 });
  expect(await verify(bot.token)).toMatchObject({ token: 'old' });
  expect(await verify(token)).toMatchObject({ token: 'current' });
});

test('only queues with the capability get events, and those of one delivery merge', async () => {
  const { bot_id, chat, receiver, send, ended } = deliveries;
  const { hamlet, iago, cordelia } = chat.people;
  const open = async ({ client }: Person, console_events: boolean) => {
    const { queue_id, last_event_id } = await client.queues.register({
      event_types: ['bot_delivery', 'bot_endpoint', 'replay'],
      client_capabilities: { console_events },
    });
    return async () => {
      const asked = { queue_id: queue_id ?? '', last_event_id, dont_block: true };
      return (await client.queues.events(asked)).events as unknown as QueuedEvent[];
    };
  };
  const ofOwner = await open(hamlet, true);
  const ofAdmin = await open(iago, true);
  const others = [await open(hamlet, false), await open(cordelia, true)];
  receiver.answer('{"content":"hello"}');
  const { id } = await ended(await send('good\nmorning'));
  for (const [queue, excerpt] of [
    [ofOwner, 'good morning'],
    [ofAdmin, null],
  ] as const) {
    const events = await queue();
    const delivery = { id, bot_id, status: 'delivered', excerpt };
    expect(events).toMatchObject([{ type: 'bot_delivery', op: 'add', delivery }]);
    expect(JSON.stringify(events)).not.toMatch(excerpt === null ? /hello|morning/ : /hello/);
    expect(events[0]).not.toHaveProperty('owner_id');
  }
  for (const queue of others) expect(await queue()).toEqual([]);
});

test('attempts and jobs are counted in the metrics without a label for the bot, and without a console no event is written', async () => {
  await using counted = await startDeliveries();
  counted.receiver.answer('{}');
  await counted.ended(await counted.send());
  counted.receiver.answer('no JSON');
  await counted.ended(await counted.send());
  const { server } = counted.chat;
  const metrics = async () => (await request(server.metrics).get('/metrics').expect(200)).text;
  // An attempt is counted after the commit that shows its delivery as ended.
  for (const line of [
    'bellhop_webhook_attempts_total{status="delivered",fault="none"} 1',
    'bellhop_webhook_attempts_total{status="failed",fault="not_json"} 1',
    'bellhop_webhook_attempt_seconds_count{status="failed"} 1',
    'bellhop_jobs{name="deliver_to_webhook",state="dead"} 1',
  ])
    await expect.poll(metrics).toContain(`${line}\n`);
  await expect.poll(metrics).toMatch(/bellhop_job_attempts_total\{outcome="done"\} [1-9]/);
  expect(await metrics()).toMatch(/\nbellhop_jobs_lag_seconds \d/);
  const events = await server.app.db.kysely.selectFrom('event').select('type').execute();
  expect(events.map(({ type }) => type)).not.toContain('bot_delivery');
});

test('old and surplus deliveries are deleted with their attempts', async () => {
  const { chat, list, receiver, ended, send } = deliveries;
  const names = { full_name: 'Tidy', short_name: 'tidy' };
  const { user_id: of } = await addWebhookBot(chat, receiver.url, names);
  receiver.answer('{}');
  const ids: string[] = [];
  for (let round = 0; round < 4; round += 1) ids.push((await ended(await send('x', of), of)).id);
  const { db, change } = chat.server.app;
  const sweep = (since: number, most: number) =>
    change(chat.realm, (tx) => removeOld(tx.db, chat.realm.id, { since, most }));
  const listed = async () => (await list({ of })).map(({ id }) => id);
  await db.kysely
    .updateTable('bot_delivery')
    .set({ created_at: new Date(0) })
    .where('id', '=', ids[0] ?? '')
    .execute();
  await sweep(1, 10);
  expect(await listed()).toEqual([ids[3], ids[2], ids[1]]);
  await sweep(1, 2);
  expect(await listed()).toEqual([ids[3], ids[2]]);
  const attempts = await db.kysely
    .selectFrom('bot_delivery_attempt')
    .select('delivery_id')
    .where('delivery_id', 'in', ids)
    .execute();
  expect(attempts).toHaveLength(2);
});
