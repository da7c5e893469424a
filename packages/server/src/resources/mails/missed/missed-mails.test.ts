import { roles, type UserSettings } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { takeUnchecked } from '../../../model/mails/missed/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';
import { DAILY_MISSED_MAILS, findMissed } from './find-missed-messages.ts';

let chat: TestChat;
let passed = 0;
let reader: Person;
let channel: string;
let count = 0;
const start = Math.floor(Date.now() / 1000);

beforeAll(async () => {
  chat = await startTestChat({ now: () => start + passed });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await resetRealmSettings(chat, {});
  reader = await chat.addPerson(`reader${++count}`);
  channel = `channel ${count}`;
  await reader.client.subscriptions.add({ subscriptions: [{ name: channel }] });
  await chat.people.cordelia.client.subscriptions.add({ subscriptions: [{ name: channel }] });
});

const settings = (changed: Partial<UserSettings>) => reader.client.settings.update(changed);

/** Lets time pass, and then looks for missed messages. */
async function pass(seconds = 121): Promise<void> {
  await findMissed(chat.server.app);
  passed += seconds;
  await findMissed(chat.server.app);
}

/** The mails to the reader, when no job for a mail is left. */
async function sent() {
  const { kysely } = chat.server.app.db;
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from job
      where name = 'send_missed_mail' and state in ('queued', 'running')`.execute(kysely);
    expect(rows).toEqual([]);
  }, 15_000);
  return chat.mails.filter(({ to }) => to === reader.email);
}

const direct = async (content: string, from: Person = chat.people.cordelia) =>
  (await from.client.messages.send({ type: 'direct', to: [reader.user.id], content })).id;
async function say(content: string, topic = 'plans') {
  const { messages } = chat.people.cordelia.client;
  return (await messages.send({ type: 'channel', to: channel, topic, content })).id;
}
const mention = () => `@**${reader.user.full_name}**`;
async function setPolicy(visibility_policy: 0 | 1 | 2 | 3, topic = 'plans'): Promise<void> {
  const { stream_id } = await reader.client.channels.id({ stream: channel });
  await reader.client.userTopics.set({ stream_id, topic, visibility_policy });
}

describe('a user who is offline', () => {
  test('gets one mail per conversation when the batching period has passed', async () => {
    await direct('to be **or** not :wave:');
    await say(`${mention()} look`);
    await say('not for the reader', 'gossip');
    await pass(119);
    expect(await sent()).toEqual([]);
    await direct('that is the question');
    await pass(2);
    const mails = await sent();
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      `#${channel} > plans`,
      'Direct messages with Cordelia',
    ]);
    const mail = mails.find(({ subject }) => subject.startsWith('Direct'));
    expect(mail?.text).toContain(
      'Cordelia:\n\n> to be or not 👋\n\n> that is the question\n\nOpen the conversation:\n',
    );
    expect(mail?.text).toContain(`http://chat.test/#narrow/dm/`);
    expect(mail?.html).toContain('that is the question</blockquote>');
    expect(mails.map(({ text }) => text).join()).not.toContain('not for the reader');
    await pass(1000);
    expect(await sent()).toHaveLength(2);
  });

  test('gets no mail about a message that is read, deleted, or moved to a channel out of sight', async () => {
    await reader.client.messages.setFlag({
      messages: [await direct('1')],
      op: 'add',
      flag: 'read',
    });
    const { desdemona } = chat.people;
    await desdemona.client.messages.remove({ message_id: await say(`${mention()} 2`) });
    await desdemona.client.subscriptions.add({
      subscriptions: [{ name: `hidden ${count}` }],
      invite_only: true,
    });
    const { stream_id } = await desdemona.client.channels.id({ stream: `hidden ${count}` });
    const message_id = await say(`${mention()} 3`);
    await findMissed(chat.server.app);
    await desdemona.client.messages.edit({ message_id, stream_id });
    await direct('4');
    await pass();
    const mails = await sent();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/> 4\n/);
    expect(mails[0]?.text).not.toMatch(/> [123]/);
  });

  test('gets no mail with enable_offline_email_notifications off, nor from muted senders or in muted topics', async () => {
    await reader.client.mutedUsers.add({ user_id: chat.people.hamlet.user.id });
    await direct('muted', chat.people.hamlet);
    await setPolicy(1);
    await settings({ enable_stream_email_notifications: true });
    await say('muted');
    await pass();
    expect(await sent()).toEqual([]);
    await settings({ enable_offline_email_notifications: false });
    await direct('off');
    await pass();
    expect(await sent()).toEqual([]);
  });

  test('gets a mail about followed topics and about channels with email_notifications', async () => {
    await setPolicy(3, 'followed');
    await say('followed', 'followed');
    await settings({ enable_stream_email_notifications: true });
    await say('in the channel');
    await pass();
    expect((await sent()).map(({ subject }) => subject).toSorted()).toEqual([
      `#${channel} > followed`,
      `#${channel} > plans`,
    ]);
  });

  test('gets a mail about a mention that an edit added', async () => {
    const message_id = await say('nobody');
    await pass();
    await chat.people.cordelia.client.messages.edit({ message_id, content: `${mention()} now` });
    await pass();
    expect((await sent()).map(({ subject }) => subject)).toEqual([`#${channel} > plans`]);
  });

  test('gets the first mail after email_notifications_batching_period_seconds', async () => {
    await settings({ email_notifications_batching_period_seconds: 3600 });
    await direct('x');
    await pass(3500);
    expect(await sent()).toEqual([]);
    await pass(101);
    expect(await sent()).toHaveLength(1);
  });

  test('gets no mail after their account was deactivated', async () => {
    await direct('x');
    await findMissed(chat.server.app);
    await chat.people.iago.client.users.deactivate({ user_id: reader.user.id });
    await pass();
    expect(await sent()).toEqual([]);
  });

  test('gets at most DAILY_MISSED_MAILS a day', async () => {
    const { kysely } = chat.server.app.db;
    const day = Math.floor((start + passed) / 86_400);
    for (const each of [day, day + 1])
      await kysely
        .insertInto('mail_count')
        .values({
          realm_id: chat.realm.id,
          day: each,
          subject: `missed messages of ${reader.user.id}`,
          count: DAILY_MISSED_MAILS - 1,
        })
        .execute();
    await direct('1');
    await say(mention());
    await pass();
    expect(await sent()).toHaveLength(1);
  });
});

test('a user who is online when a message is sent gets a mail only if they are idle and have not read it later', async () => {
  await reader.client.queues.register({ event_types: ['message'] });
  await reader.client.presence.update({ status: 'active', new_user_input: true });
  const read = await direct('1');
  await say(`${mention()} 2`);
  await pass(600);
  expect(await sent()).toEqual([]);
  await reader.client.messages.setFlag({ messages: [read], op: 'add', flag: 'read' });
  await pass(60);
  expect((await sent()).map(({ subject }) => subject)).toEqual([`#${channel} > plans`]);
});

test('bots get no mail', async () => {
  const { hamlet } = chat.people;
  const bot = await hamlet.client.bots.create({
    short_name: `bot${count}`,
    full_name: `Bot ${count}`,
  });
  await hamlet.client.messages.send({ type: 'direct', to: [bot.user_id], content: 'x' });
  await findMissed(chat.server.app);
  const missing = await chat.server.app.db.kysely
    .selectFrom('missed_message')
    .select('message_id')
    .where('user_id', '=', bot.user_id)
    .execute();
  expect(missing).toEqual([]);
});

describe('a mail about missed messages', () => {
  test.each(['user', 'realm'] as const)(
    'shows no sender, channel or content if the setting of the %s forbids it',
    async (who) => {
      if (who === 'user') await settings({ message_content_in_email_notifications: false });
      else
        await resetRealmSettings(chat, { message_content_allowed_in_email_notifications: false });
      await direct('a secret');
      await pass();
      const [mail] = await sent();
      expect(mail?.subject).toBe('New messages');
      expect(`${mail?.text} ${mail?.html}`).not.toMatch(/secret|Cordelia/);
      expect(mail?.text).toContain('You have 1 unread message at Test.');
    },
  );

  test.each([
    [1, ''],
    [2, '[Test] '],
    [3, ''],
  ] as const)(
    'with realm_name_in_email_notifications_policy %d, on a server with one realm, has a subject that begins with %j',
    async (realm_name_in_email_notifications_policy, start_) => {
      await settings({ realm_name_in_email_notifications_policy });
      await direct('x');
      await pass();
      expect((await sent())[0]?.subject).toBe(`${start_}Direct messages with Cordelia`);
    },
  );

  test('contains no markup of hostile names, topics and content, and no address in its subject', async () => {
    const eve = await chat.addPerson(`eve${count}`);
    const hostile = '"></p><script>alert(1)</script>';
    await eve.client.settings.update({ full_name: `E ' & https://evil.example` });
    await direct(hostile, eve);
    await say(`${mention()} ${hostile}`, '</title><img src=x>');
    await pass();
    const mails = await sent();
    expect(mails).toHaveLength(2);
    for (const { html, subject } of mails) {
      expect(html).not.toMatch(/<script|<img/);
      expect(subject).not.toContain('://evil');
    }
  });

  test('shows the newest 20 messages, and counts the others', async () => {
    for (let at = 1; at <= 23; at++) await direct(`number ${at}`);
    await pass();
    const [mail] = await sent();
    expect(mail?.text).toContain('3 earlier messages not shown.');
    expect(mail?.text).toContain('> number 4\n');
    expect(mail?.text).not.toContain('> number 3\n');
  });

  test('shows a guest no name of a sender whom they may not see', async () => {
    await resetRealmSettings(chat, {}, { can_access_all_users_group: 'role:members' });
    const { iago, cordelia } = chat.people;
    const principals = [(reader = await chat.addPerson(`guest${count}`, roles.guest)).user.id];
    await iago.client.subscriptions.add({ subscriptions: [{ name: channel }], principals });
    await say(mention());
    await cordelia.client.subscriptions.remove({ subscriptions: [channel] });
    await iago.client.subscriptions.remove({ subscriptions: [channel] });
    await pass();
    const mail = (await sent()).find(({ subject }) => subject.startsWith('#'));
    expect(mail?.text).toContain('Unknown user:');
    expect(mail?.text).not.toContain('Cordelia');
  });
});

test('messages are looked at in steps of the limit though the planner takes their table for empty', async () => {
  const { realm, server } = chat;
  await findMissed(server.app);
  const waiting = async (from: number, to: number) =>
    sql`insert into mail_check (realm_id, message_id)
      select ${realm.id}, n from generate_series(${from}::bigint, ${to}::bigint) n`.execute(
      server.app.db.kysely,
    );
  await waiting(1, 1);
  await sql`analyze mail_check`.execute(server.app.db.kysely);
  await waiting(2, 2500);
  const take = () => server.app.change(realm, ({ db }) => takeUnchecked(db, realm.id, 1000));
  expect((await take()).length).toBe(1000);
  expect((await take()).length).toBe(1000);
  expect((await take()).length).toBe(500);
});
