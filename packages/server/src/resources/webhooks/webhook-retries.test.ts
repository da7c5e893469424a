import { replay } from '@bellhop/jobs';
import type { WebhookPayload } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { ended, failingWebhook, serviceOf } from './failing-webhook.fixture.ts';
import {
  addChannel,
  addWebhookBot,
  NOBODY,
  type ReceivedRequest,
  startReceiver,
  status,
} from './webhooks.fixture.ts';

const { setUp, atEnd } = failingWebhook();
const idOf = ({ headers }: ReceivedRequest) => headers['webhook-id'];

test('a broken connection is retried with the same delivery id until there is a response', async () => {
  const { receiver, chat, other, send } = await setUp();
  receiver.answer((response) => {
    if (receiver.received.length < 3) response.destroy();
    else response.end('{"content":"at last"}');
  });
  const id = await send();
  expect((await other.next()).id).toBe(id);
  expect((await other.next()).content).toBe('at last');
  const delivery = await ended(chat, id);
  expect(receiver.received.map(idOf)).toEqual(Array(3).fill(delivery.id));
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual([
    '1',
    '2',
    '3',
  ]);
  expect(delivery).toMatchObject({ state: 'done', failures: 2 });
  expect(delivery.attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'done']);
  expect(await other.rest()).toEqual([]);
  expect(await serviceOf(chat)).toMatchObject({ failures_in_a_row: 0, failing_since: null });
});

test('a bot that is renamed after a message gets the name that the message mentions', async () => {
  const { receiver, chat, bot } = await setUp();
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, 'open', [hamlet, cordelia]);
  const rename = (full_name: string) =>
    hamlet.client.bots.update({ bot_id: bot.user_id, full_name });
  const namesIn = () =>
    receiver.received.map(({ body }) => (JSON.parse(body) as WebhookPayload).bot_full_name);
  await rename('R2 & D2');
  receiver.answer((response) => {
    if (receiver.received.length === 1) void rename('After').then(() => response.destroy());
    else response.end('{}');
  });
  const mention = (name: string) => ({
    type: 'channel' as const,
    to: 'open',
    topic: 't',
    content: `@**Cordelia** @_**Hamlet** @**${name}** hi`,
  });
  const { id } = await cordelia.client.messages.send(mention('r2 & d2'));
  await ended(chat, id);
  expect(namesIn()).toEqual(['R2 & D2', 'R2 & D2']);
  const next = await cordelia.client.messages.send(mention(`|${bot.user_id}`));
  await ended(chat, next.id);
  expect(namesIn().at(-1)).toBe('After');
});

test('an endpoint that stays too slow gets a notice only after the last attempt', async () => {
  // Time enough for a busy machine to deliver each request.
  const { receiver, chat, bot, owner, other, send } = await setUp({ timeout: '1' });
  receiver.answer(() => {});
  const id = await send();
  expect((await other.next()).id).toBe(id);
  const note = await other.next();
  expect(note.content).toBe('Failure! The bot is unavailable.');
  const notice = await owner.next();
  expect(notice.sender_id).toBe(bot.user_id);
  expect(notice.content).toContain('The endpoint did not answer in time.');
  expect(notice.content).toContain(`/near/${id}`);
  const { state, attempts } = await ended(chat, id);
  expect(state).toBe('dead');
  expect(attempts).toHaveLength(4);
  expect(receiver.received).toHaveLength(4);
  expect(await other.rest()).toEqual([]);
  expect(await owner.rest()).toEqual([]);
});

test('one notice says within 30 seconds that the bot does not answer, another when the server gives up', async () => {
  // The second attempt may end 31 seconds after the message.
  const { receiver, chat, owner, other, send } = await setUp({ timeout: '31', retry: '0,0' });
  receiver.answer((response) => response.destroy());
  const id = await send();
  await other.next();
  expect((await other.next()).content).toMatch(/^The bot does not answer yet\./);
  expect((await other.next()).content).toBe('Failure! The bot is unavailable.');
  expect((await ended(chat, id)).attempts).toHaveLength(3);
  expect(await other.rest()).toEqual([]);
  expect((await owner.next()).content).toMatch(
    /^The delivery of \[a message\]\(.*\) to @_\*\*Echo\|\d+\*\* failed\. All attempts failed\./,
  );
  expect(await owner.rest()).toEqual([]);
});

test('a bot that answers after the notice replies, and no failure notice is sent', async () => {
  const { receiver, owner, other, send } = await setUp({ timeout: '31', retry: '0' });
  receiver.answer((response) => {
    if (receiver.received.length === 1) response.destroy();
    else response.end('{"content":"here I am"}');
  });
  await send();
  await other.next();
  expect((await other.next()).content).toMatch(/^The bot does not answer yet\./);
  expect((await other.next()).content).toBe('here I am');
  expect(await owner.rest()).toEqual([]);
});

test('an endpoint that trickles its response times out', async () => {
  const { receiver, other, send } = await setUp({ timeout: '0.2', retry: 'none' });
  receiver.answer((response) => {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await send();
  await other.next();
  expect((await other.next()).content).toBe('Failure! The bot is unavailable.');
});

test('a refused connection is retried like a time-out', async () => {
  const { chat, owner, other, send } = await setUp({ retry: '0' });
  const bot = await addWebhookBot(chat, NOBODY, { full_name: 'Off', short_name: 'off' });
  const id = await send(bot.user_id);
  await other.next();
  expect((await other.next()).content).toBe('Failure! The bot is unavailable.');
  expect((await owner.next()).content).toContain('could not be reached');
  expect((await ended(chat, id)).attempts).toHaveLength(2);
});

test('a short Retry-After delays the delivery, and the reply is sent once', async () => {
  const { receiver, chat, owner, other, send } = await setUp({ retry: '0,0' });
  receiver.answer((response) => {
    if (receiver.received.length === 1) response.writeHead(503, { 'retry-after': '1' }).end();
    else response.end('{"content":"ready"}');
  });
  const id = await send();
  await other.next();
  expect((await other.next()).content).toBe('ready');
  const { attempts } = await ended(chat, id);
  const [first, second] = attempts;
  const waited = (second?.started_at.getTime() ?? 0) - (first?.ended_at.getTime() ?? 0);
  expect(waited).toBeGreaterThanOrEqual(1000);
  expect(await owner.rest()).toEqual([]);
});

test('an endpoint that sends Retry-After in the last attempt gets a notice with its status', async () => {
  const { receiver, other, owner, send } = await setUp({ retry: '0' });
  receiver.answer(status(429, 'slow down', { 'retry-after': '0' }));
  await send();
  await other.next();
  expect((await other.next()).content).toMatch(/^Failure! .*status 429/);
  expect((await owner.next()).content).toMatch(/status 429[^]*slow down/);
  expect(receiver.received).toHaveLength(2);
});

test('a database connection killed between a response and its record leaves one reply', async () => {
  const { receiver, chat, bot, other, send } = await setUp();
  // The connection that writes the bot's first reply is killed when it commits.
  const { kysely } = chat.server.app.db;
  await sql`create sequence kills`.execute(kysely);
  await sql`create function kill_once() returns trigger language plpgsql as $$
    begin
      if new.content = 'once' and nextval('kills') = 1 then
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return new;
    end $$`.execute(kysely);
  await sql`create constraint trigger kill after insert on message deferrable initially deferred
    for each row execute function kill_once()`.execute(kysely);
  receiver.answer('{"content":"once"}');
  const id = await send();
  const delivery = await ended(chat, id);
  expect(delivery.state).toBe('done');
  expect(delivery.attempts.length).toBeGreaterThan(1);
  expect(new Set(receiver.received.map(idOf))).toEqual(new Set([delivery.id]));
  const { rows } = await sql<{ content: string }>`
    select content from message where sender_id = ${bot.user_id}`.execute(kysely);
  expect(rows).toEqual([{ content: 'once' }]);
  await other.next();
  expect((await other.next()).content).toBe('once');
  expect(await other.rest()).toEqual([]);
});

test('a slow endpoint does not delay another bot', async () => {
  const { receiver, chat, other, send } = await setUp({ timeout: '60' });
  const { promise: release, resolve } = Promise.withResolvers<void>();
  receiver.answer((response) => {
    void release.then(() => response.end('{"content":"slow"}'));
  });
  const fast = atEnd(await startReceiver());
  fast.answer('{"content":"fast"}');
  const quick = await addWebhookBot(chat, fast.url, { full_name: 'Quick', short_name: 'quick' });
  const slow = [];
  for (let sent = 0; sent < 40; sent++) slow.push(await send());
  await receiver.next();
  await send(quick.user_id);
  let delivered = 0;
  for (;;) {
    const { content } = await other.next();
    expect(content).not.toBe('slow');
    delivered++;
    if (content === 'fast') break;
  }
  expect(delivered).toBe(slow.length + 2);
  // At most four requests at a time wait for the slow webhook.
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  resolve();
  for (const id of slow) expect((await ended(chat, id)).state).toBe('done');
});

test('a replayed delivery that fails again sends no second notice', async () => {
  const { receiver, chat, owner, other, send } = await setUp({ retry: 'none' });
  receiver.answer(status(500));
  const id = await send();
  const { id: job } = await ended(chat, id);
  await other.next();
  await other.next();
  await owner.next();
  const again = () => chat.server.app.change(chat.realm, ({ db }) => replay(db, job));
  expect(await again()).toBe(true);
  await expect.poll(() => receiver.received.length).toBe(2);
  expect((await ended(chat, id)).state).toBe('dead');
  expect(await other.rest()).toEqual([]);
  expect(await owner.rest()).toEqual([]);
  receiver.answer('{"content":"after all"}');
  await again();
  expect((await other.next()).content).toBe('after all');
});

test('a server that stops returns the delivery, and another server finishes it', async () => {
  const { receiver, chat, other, send } = await setUp();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  receiver.answer((response) => {
    if (receiver.received.length === 1) arrive();
    else response.end('{"content":"from the other node"}');
  });
  const id = await send();
  await arrived;
  await chat.anotherNode();
  await chat.server.jobs.stop(0);
  await other.next();
  expect((await other.next()).content).toBe('from the other node');
  const { attempts, failures } = await ended(chat, id);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['released', 'done']);
  expect(failures).toBe(0);
});

test('an internal error in a delivery sends a notice', async () => {
  const { receiver, chat, owner, other, send } = await setUp({ retry: 'none' });
  receiver.answer('{"content":"unspeakable"}');
  const { kysely } = chat.server.app.db;
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin
      if new.content = 'unspeakable' then raise exception 'no'; end if;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger refuse before insert on message
    for each row execute function refuse()`.execute(kysely);
  const id = await send();
  await other.next();
  expect((await other.next()).content).toBe('Failure! The bot is unavailable.');
  expect((await owner.next()).content).toContain('The server could not finish the delivery.');
  expect((await ended(chat, id)).state).toBe('dead');
});

test('a token that cannot be decrypted ends the delivery with a notice', async () => {
  const { receiver, chat, owner, other, send } = await setUp({ retry: 'none' });
  await chat.server.app.db.kysely
    .updateTable('bot_service')
    .set({ token_sealed: Buffer.alloc(60) })
    .execute();
  const id = await send();
  await other.next();
  expect((await other.next()).content).toBe('Failure! The bot is unavailable.');
  expect((await owner.next()).content).toContain('could not finish');
  expect((await ended(chat, id)).state).toBe('dead');
  expect(receiver.received).toHaveLength(0);
});
