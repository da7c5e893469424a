import { MAX_PUSH_BYTES, roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Phone, type PushStack, startPushStack, watchDevices } from './support/push-stack.ts';

type Someone = PushStack['chat']['people']['hamlet'];

let stack: PushStack;
let cordelia: Someone;
beforeAll(async () => {
  stack = await startPushStack();
  ({ cordelia } = stack.chat.people);
});
afterAll(() => stack[Symbol.asyncDispose]());

let serial = 0;
/** A new user with a phone, subscribed to a channel of their own that Cordelia writes in. */
let reader: Someone;
let phone: Phone;
let channel: string;
beforeEach(async () => {
  serial += 1;
  reader = await stack.chat.addPerson(`reader${serial}`);
  phone = stack.newPhone('fcm');
  channel = `channel ${serial}`;
  await activate(reader, phone);
  const principals = [cordelia.user.id, reader.user.id];
  await cordelia.client.subscriptions.add({ subscriptions: [{ name: channel }], principals });
  await settled();
});

/** Registers phones of a user and waits until they are active. */
async function activate(user: Someone, ...phones: Phone[]): Promise<void> {
  const devices = await watchDevices(user);
  for (const one of phones) {
    await user.client.devices.registerPush(one.registration());
    expect(await devices.next()).toMatchObject({ status: 'active' });
  }
}

const db = () => stack.chat.server.app.db.kysely;

/** Waits until no push is queued or running, except those that wait for their time. */
const settled = () =>
  vi.waitFor(async () => {
    const { rows } = await sql<{ name: string }>`select name from job
      where lane = 'pushes' and state in ('queued', 'running') and due_at <= now()`.execute(db());
    expect(rows).toEqual([]);
  }, 15_000);

interface ShownPush {
  readonly type: string;
  readonly content?: string;
  readonly message_ids?: readonly number[];
}
/** What the phone has received, after all pushes are sent. */
async function received(one: Phone = phone): Promise<ShownPush[]> {
  await settled();
  return one.received().map(({ payload }) => payload as ShownPush);
}
const messagesOn = async (one: Phone = phone) =>
  (await received(one)).flatMap(({ type, content }) => (type === 'message' ? [content] : []));
const removedFrom = async (one: Phone = phone) =>
  (await received(one)).flatMap(({ message_ids }) => message_ids ?? []).toSorted((a, b) => a - b);

const sayTo = async (user: Someone, content: string) =>
  (await cordelia.client.messages.send({ type: 'direct', to: [user.user.id], content })).id;
const say = async (content: string, topic = 'plans') =>
  (await cordelia.client.messages.send({ type: 'channel', to: channel, topic, content })).id;
const channelId = async () => (await cordelia.client.channels.id({ stream: channel })).stream_id;
const setPolicy = async (visibility_policy: 0 | 1 | 2 | 3, topic = 'plans') =>
  reader.client.userTopics.set({ stream_id: await channelId(), topic, visibility_policy });
const setSubscription = async (
  property: 'is_muted' | 'push_notifications' | 'wildcard_mentions_notify',
  value: boolean,
) => {
  const stream_id = await channelId();
  const subscription_data = [{ stream_id, property, value }];
  await reader.client.subscriptions.setProperties({ subscription_data });
};

describe('a direct message', () => {
  test('reaches both phones and the browser of an idle user, and disappears from them when read elsewhere', async () => {
    const [iphone, browser] = [stack.newPhone('apns'), stack.newPhone('webpush')];
    await activate(reader, iphone, browser);
    const id = await sayTo(reader, 'to be **or** not :wave:');
    const common = {
      realm_url: 'http://chat.test',
      realm_name: 'Test',
      user_id: reader.user.id,
    };
    for (const one of [phone, iphone, browser])
      expect(await received(one)).toEqual([
        {
          ...common,
          type: 'message',
          recipient_type: 'direct',
          message_id: id,
          sender_id: cordelia.user.id,
          sender_full_name: 'Cordelia',
          sender_avatar_url: expect.stringMatching(/^https:/) as string,
          time: expect.any(Number) as number,
          content: 'to be or not 👋',
        },
      ]);
    await reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    for (const one of [phone, iphone, browser])
      expect((await received(one))[1]).toEqual({ ...common, type: 'remove', message_ids: [id] });
    expect(phone.received()[1]?.notification).toMatchObject({ priority: 'normal' });
    const background = { priority: 5, push_type: 'background' };
    expect(iphone.received()[1]?.notification).toMatchObject(background);
    expect(browser.received()[1]?.notification).toMatchObject({ urgency: 'normal' });
  });

  test('of a group names all participants in pm_users', async () => {
    const { hamlet } = stack.chat.people;
    const to = [reader.user.id, hamlet.user.id];
    await cordelia.client.messages.send({ type: 'direct', to, content: 'x' });
    const ids = [...to, cordelia.user.id].toSorted((a, b) => a - b);
    expect(await received()).toMatchObject([{ pm_users: ids.join(',') }]);
  });

  test('is not pushed to its sender, nor to a user who has muted the sender', async () => {
    await reader.client.mutedUsers.add({ user_id: cordelia.user.id });
    await sayTo(reader, 'x');
    await reader.client.messages.send({ type: 'direct', to: [reader.user.id], content: 'x' });
    expect(await received()).toEqual([]);
  });

  test('is not pushed with enable_offline_push_notifications switched off', async () => {
    await reader.client.settings.update({ enable_offline_push_notifications: false });
    await sayTo(reader, 'x');
    expect(await received()).toEqual([]);
  });

  test('of 10,000 characters is cut to the size limit between characters', async () => {
    const iphone = stack.newPhone('apns');
    await activate(reader, iphone);
    const family = '👩‍👩‍👧';
    await sayTo(reader, family.repeat(1_200));
    for (const one of [phone, iphone]) {
      const [payload] = await received(one);
      const bytes = Buffer.byteLength(JSON.stringify(payload));
      expect(bytes).toBeLessThanOrEqual(MAX_PUSH_BYTES);
      expect(bytes).toBeGreaterThan(MAX_PUSH_BYTES - 30);
      expect(payload?.content?.replaceAll(family, '')).toBe('…');
    }
  });
});

describe('a channel message', () => {
  test('without a reason is not pushed; with push_notifications of the channel it is', async () => {
    await say('not pushed');
    await setSubscription('push_notifications', true);
    const id = await say('pushed');
    expect(await received()).toMatchObject([
      {
        type: 'message',
        recipient_type: 'channel',
        channel_id: await channelId(),
        channel_name: channel,
        topic: 'plans',
        message_id: id,
        content: 'pushed',
      },
    ]);
  });

  test('in a muted topic or channel is not pushed, unless the topic is unmuted or followed', async () => {
    await setSubscription('push_notifications', true);
    await setPolicy(1, 'muted');
    await say('1', 'muted');
    await setSubscription('is_muted', true);
    await say('2');
    await setPolicy(2, 'unmuted');
    await say('3', 'unmuted');
    await setPolicy(3, 'followed');
    await say('4', 'followed');
    expect(await messagesOn()).toEqual(['3', '4']);
  });

  test('that mentions a user is pushed even in a muted topic', async () => {
    await setPolicy(1);
    await say(`@**${reader.user.full_name}** look`);
    expect(await messagesOn()).toEqual([`@${reader.user.full_name} look`]);
  });

  test('that mentions a user who is not subscribed is not pushed to that user', async () => {
    await reader.client.subscriptions.remove({ subscriptions: [channel] });
    await say(`@**${reader.user.full_name}** look`);
    expect(await messagesOn()).toEqual([]);
  });

  test('that mentions a group names the smallest group of the user', async () => {
    const names = [`large ${serial}`, `small ${serial}`];
    const members = [cordelia.user.id, reader.user.id];
    await cordelia.client.userGroups.create({ name: names[0] ?? '', description: '', members });
    const { group_id } = await cordelia.client.userGroups.create({
      name: names[1] ?? '',
      description: '',
      members: [reader.user.id],
    });
    await settled();
    const before = phone.received().length;
    await say(names.map((name) => `@*${name}*`).join(' '));
    expect((await received()).slice(before)).toMatchObject([
      { mentioned_user_group_id: group_id, mentioned_user_group_name: names[1] },
    ]);
  });

  test('that mentions everyone is pushed by wildcard_mentions_notify of the channel', async () => {
    await say('@**all** one');
    await setSubscription('wildcard_mentions_notify', false);
    await say('@**all** two');
    expect(await messagesOn()).toEqual(['@all one']);
  });

  test('with the empty topic names the topic as clients show it', async () => {
    await setSubscription('push_notifications', true);
    await say('x', '');
    expect(await received()).toMatchObject([{ topic: 'general chat' }]);
  });

  test('is pushed when an edit adds a mention, once', async () => {
    const message_id = await say('look');
    const edit = (content: string) => cordelia.client.messages.edit({ message_id, content });
    await edit(`@**${reader.user.full_name}** look`);
    await settled();
    await edit('look');
    await edit(`look, @**${reader.user.full_name}**`);
    expect(await messagesOn()).toEqual([`@${reader.user.full_name} look`]);
  });
});

describe('an online user', () => {
  const goOnline = async () => {
    await reader.client.queues.register({ event_types: ['message'] });
    await reader.client.presence.update({ status: 'active' });
  };
  const wait = () => reader.client.settings.update({ enable_online_push_notifications: false });

  test('gets pushes by enable_online_push_notifications', async () => {
    await goOnline();
    await sayTo(reader, 'one');
    await wait();
    await sayTo(reader, 'two');
    expect(await messagesOn()).toEqual(['one']);
  });

  test('gets the push later if the user is idle by then, and not if still online', async () => {
    await wait();
    const due = async () => {
      await sql`update job set due_at = now() where name = 'push_message' and state = 'queued'
        and payload ->> 'waits_for_idle' = 'true'`.execute(db());
      await settled();
    };
    await goOnline();
    await sayTo(reader, 'still online');
    await due();
    expect(await messagesOn()).toEqual([]);
    await sayTo(reader, 'idle by then');
    await sql`update user_presence set active_at = active_at - 300
      where user_id = ${reader.user.id}`.execute(db());
    await due();
    expect(await messagesOn()).toEqual(['idle by then']);
  });

  test('counts as idle without a queue for messages, and with presence_enabled switched off', async () => {
    await wait();
    await reader.client.presence.update({ status: 'active' });
    await sayTo(reader, 'no queue');
    await reader.client.queues.register({ event_types: ['typing'] });
    await sayTo(reader, 'a queue for other events');
    await goOnline();
    await reader.client.settings.update({ presence_enabled: false });
    await sayTo(reader, 'no presence');
    expect(await messagesOn()).toEqual(['no queue', 'a queue for other events', 'no presence']);
  });
});

describe('at the time of sending', () => {
  test('a message is not pushed to a user who has read it or left its channel, and is pushed to others', async () => {
    const guest = await stack.chat.addPerson(`guest${serial}`, roles.guest);
    const guestsPhone = stack.newPhone('apns');
    await activate(guest, guestsPhone);
    const name = `private ${serial}`;
    const principals = [cordelia.user.id, reader.user.id, guest.user.id];
    const subscriptions = [{ name }];
    await cordelia.client.subscriptions.add({ subscriptions, principals, invite_only: true });
    await settled();
    await stack.stopBouncer();
    const { id: mention } = await cordelia.client.messages.send({
      type: 'channel',
      to: name,
      topic: 'x',
      content: '@**all**',
    });
    const id = await sayTo(reader, 'read');
    const claimed = sql`select from message_push where message_id in (${mention}, ${id})`;
    await vi.waitFor(async () => expect((await claimed.execute(db())).rows).toHaveLength(3), 5_000);
    await reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    await guest.client.subscriptions.remove({ subscriptions: [name] });
    await stack.startBouncer();
    await vi.waitFor(async () => expect(await messagesOn()).toContain('@all'), 15_000);
    expect(await messagesOn()).toEqual(['@all']);
    expect(await messagesOn(guestsPhone)).toEqual([]);
    // The bouncer may have taken what it did not answer, so the phones remove it in any case.
    await vi.waitFor(async () => expect(await removedFrom()).toEqual([id]), 15_000);
    await vi.waitFor(async () => expect(await removedFrom(guestsPhone)).toEqual([mention]), 15_000);
  });

  test('a message that is read while its push is under way disappears once it has arrived', async () => {
    const fault = stack.simulator.faults.add({ provider: 'fcm', fault: { slow_ms: 1_500 } });
    const id = await sayTo(reader, 'just read');
    const claimed = sql`select from message_push where message_id = ${id}`;
    await vi.waitFor(async () => expect((await claimed.execute(db())).rows).toHaveLength(1), 5_000);
    await reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    stack.simulator.faults.clear(fault);
    await vi.waitFor(async () => expect(await removedFrom()).toEqual([id]), 15_000);
    expect((await received()).map(({ type }) => type)).toEqual(['message', 'remove']);
  });

  test('an attempt that is repeated after the push was recorded as sent sends nothing', async () => {
    await sayTo(reader, 'once');
    expect(await messagesOn()).toEqual(['once']);
    await sql`update job set state = 'queued', due_at = now() where name = 'push_message'
      and payload -> 'user_ids' @> ${JSON.stringify([reader.user.id])}::jsonb`.execute(db());
    expect(await messagesOn()).toEqual(['once']);
  });
});

describe('a pushed message', () => {
  test('disappears when marked as read with its channel, moved out of reach or deleted', async () => {
    const { desdemona } = stack.chat.people;
    await setSubscription('push_notifications', true);
    const ids = [await say('read'), await say('deleted', 'b'), await say('moved', 'c')] as const;
    expect(new Set(await messagesOn())).toEqual(new Set(['read', 'deleted', 'moved']));
    await desdemona.client.messages.remove({ message_id: ids[1] });
    const name = `out of reach ${serial}`;
    await desdemona.client.subscriptions.add({ subscriptions: [{ name }], invite_only: true });
    const { stream_id } = await desdemona.client.channels.id({ stream: name });
    await desdemona.client.messages.edit({ message_id: ids[2], stream_id });
    await settled();
    expect(await removedFrom()).toEqual([ids[1], ids[2]]);
    await reader.client.messages.markChannelAsRead({ stream_id: await channelId() });
    expect(await removedFrom()).toEqual([...ids]);
    const left = sql`select from message_push where user_id = ${reader.user.id}`;
    expect((await left.execute(db())).rows).toEqual([]);
  });

  test('disappears after the reader has left its channel, public or private', async () => {
    await setSubscription('push_notifications', true);
    const ids = [await say('public')];
    const name = `left ${serial}`;
    const principals = [cordelia.user.id, reader.user.id];
    const subscriptions = [{ name }];
    await cordelia.client.subscriptions.add({ subscriptions, principals, invite_only: true });
    const content = '@**all** private';
    const sent = { type: 'channel', to: name, topic: 'x', content } as const;
    ids.push((await cordelia.client.messages.send(sent)).id);
    await settled();
    await reader.client.subscriptions.remove({ subscriptions: [channel, name] });
    expect(await removedFrom()).toEqual(expect.arrayContaining(ids));
  });

  test('names an unknown user to a guest who may not see the sender', async () => {
    const { desdemona } = stack.chat.people;
    const { user_groups } = await desdemona.client.userGroups.list({});
    const groupNamed = (name: string) => user_groups.find((group) => group.name === name)?.id ?? 0;
    const setAccess = (name: string) =>
      desdemona.client.realms.update({ can_access_all_users_group: { new: groupNamed(name) } });
    const guest = await stack.chat.addPerson(`stranger${serial}`, roles.guest);
    const guestsPhone = stack.newPhone('fcm');
    await activate(guest, guestsPhone);
    const principals = [guest.user.id, cordelia.user.id];
    await cordelia.client.subscriptions.add({ subscriptions: [{ name: channel }], principals });
    const id = await say('before');
    await setAccess('role:members');
    try {
      await cordelia.client.subscriptions.remove({ subscriptions: [channel] });
      await cordelia.client.messages.edit({
        message_id: id,
        content: `@**${guest.user.full_name}**`,
      });
      expect((await received(guestsPhone)).at(-1)).toMatchObject({
        content: `@${guest.user.full_name}`,
        sender_full_name: 'Unknown user',
      });
    } finally {
      await setAccess('role:everyone');
    }
  });
});

test('the log holds no content of a pushed message', async () => {
  await sayTo(reader, 'a very secret content');
  expect(await messagesOn()).toEqual(['a very secret content']);
  expect(stack.chat.logged()).not.toContain('secret content');
});
