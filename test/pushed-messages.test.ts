import { roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';

import { usePushReader } from './support/push-reader.ts';
import { activatePhones } from './support/push-stack.ts';

const {
  at,
  db,
  settled,
  received,
  channelId,
  messagesOn,
  removedFrom,
  sendDirect,
  say,
  setSubscription,
} = usePushReader();

const pushesOf = (messages: readonly number[]) => sql<boolean>`name = 'push_message'
  and (payload ->> 'message_id')::bigint = any(${messages}::bigint[])`;

/** Postpones the pushes of messages that wait for another attempt, and returns all that are postponed. */
async function postponed(messages: readonly number[]) {
  const { rows } = await sql`update job set due_at = now() + interval '1 hour'
    where ${pushesOf(messages)} and state = 'queued' and failures > 0 returning id`.execute(db());
  return rows;
}

describe('at the time of sending', () => {
  test('a message is not pushed to a user who has read it or left its channel, and is pushed to others', async () => {
    const guest = await at.stack.chat.addPerson(`guest${at.serial}`, roles.guest);
    const guestsPhone = at.stack.newPhone('apns');
    await activatePhones(guest, guestsPhone);
    const name = `private ${at.serial}`;
    const principals = [at.cordelia.user.id, at.reader.user.id, guest.user.id];
    const subscriptions = [{ name }];
    await at.cordelia.client.subscriptions.add({ subscriptions, principals, invite_only: true });
    await settled();
    await at.stack.stopBouncer();
    const { id: mention } = await at.cordelia.client.messages.send({
      type: 'channel',
      to: name,
      topic: 'x',
      content: '@**all**',
    });
    const id = await sendDirect('read');
    const claimed = sql`select from message_push where message_id in (${mention}, ${id})`;
    await vi.waitFor(
      async () => expect((await claimed.execute(db())).rows).toHaveLength(3),
      15_000,
    );
    // No attempt is under way, and the next one comes when the test says so.
    await vi.waitFor(async () => expect(await postponed([mention, id])).toHaveLength(2), 15_000);
    await at.reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    await guest.client.subscriptions.remove({ subscriptions: [name] });
    await at.stack.startBouncer();
    await sql`update job set due_at = now() where ${pushesOf([mention, id])}`.execute(db());
    expect(await messagesOn()).toEqual(['@all']);
    expect(await messagesOn(guestsPhone)).toEqual([]);
    // The bouncer may have taken a notification without an answer, so the phones remove the message
    // in any case.
    await vi.waitFor(async () => expect(await removedFrom()).toEqual([id]), 15_000);
    await vi.waitFor(async () => expect(await removedFrom(guestsPhone)).toEqual([mention]), 15_000);
  });

  test('a message that is read while its push is under way disappears once it has arrived', async () => {
    const fault = at.stack.simulator.faults.add({ provider: 'fcm', fault: { slow_ms: 1_500 } });
    const id = await sendDirect('just read');
    const claimed = sql`select from message_push where message_id = ${id}`;
    await vi.waitFor(
      async () => expect((await claimed.execute(db())).rows).toHaveLength(1),
      15_000,
    );
    await at.reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    at.stack.simulator.faults.clear(fault);
    await vi.waitFor(async () => expect(await removedFrom()).toEqual([id]), 15_000);
    expect((await received()).map(({ type }) => type)).toEqual(['message', 'remove']);
  });

  test('an attempt that is repeated after the push was recorded as sent sends nothing', async () => {
    await sendDirect('once');
    expect(await messagesOn()).toEqual(['once']);
    await sql`update job set state = 'queued', due_at = now() where name = 'push_message'
      and payload -> 'user_ids' @> ${JSON.stringify([at.reader.user.id])}::jsonb`.execute(db());
    expect(await messagesOn()).toEqual(['once']);
  });
});

describe('a pushed message', () => {
  test('disappears when marked as read with its channel, moved out of reach or deleted', async () => {
    const { desdemona } = at.stack.chat.people;
    await setSubscription('push_notifications', true);
    const ids = [await say('read'), await say('deleted', 'b'), await say('moved', 'c')] as const;
    expect(new Set(await messagesOn())).toEqual(new Set(['read', 'deleted', 'moved']));
    await desdemona.client.messages.remove({ message_id: ids[1] });
    const name = `out of reach ${at.serial}`;
    await desdemona.client.subscriptions.add({ subscriptions: [{ name }], invite_only: true });
    const { stream_id } = await desdemona.client.channels.id({ stream: name });
    await desdemona.client.messages.edit({ message_id: ids[2], stream_id });
    await settled();
    expect(await removedFrom()).toEqual([ids[1], ids[2]]);
    await at.reader.client.messages.markChannelAsRead({ stream_id: await channelId() });
    expect(await removedFrom()).toEqual([...ids]);
    const left = sql`select from message_push where user_id = ${at.reader.user.id}`;
    expect((await left.execute(db())).rows).toEqual([]);
  });

  test('disappears after the reader has left its channel, public or private', async () => {
    await setSubscription('push_notifications', true);
    const ids = [await say('public')];
    const name = `left ${at.serial}`;
    const principals = [at.cordelia.user.id, at.reader.user.id];
    const subscriptions = [{ name }];
    await at.cordelia.client.subscriptions.add({ subscriptions, principals, invite_only: true });
    const content = '@**all** private';
    const sent = { type: 'channel', to: name, topic: 'x', content } as const;
    ids.push((await at.cordelia.client.messages.send(sent)).id);
    await settled();
    await at.reader.client.subscriptions.remove({ subscriptions: [at.channel, name] });
    expect(await removedFrom()).toEqual(expect.arrayContaining(ids));
  });

  test('names an unknown user to a guest who may not see the sender', async () => {
    const { desdemona } = at.stack.chat.people;
    const { user_groups } = await desdemona.client.userGroups.list({});
    const groupNamed = (name: string) => user_groups.find((group) => group.name === name)?.id ?? 0;
    const setAccess = (name: string) =>
      desdemona.client.realms.update({ can_access_all_users_group: { new: groupNamed(name) } });
    const guest = await at.stack.chat.addPerson(`stranger${at.serial}`, roles.guest);
    const guestsPhone = at.stack.newPhone('fcm');
    await activatePhones(guest, guestsPhone);
    const principals = [guest.user.id, at.cordelia.user.id];
    await at.cordelia.client.subscriptions.add({
      subscriptions: [{ name: at.channel }],
      principals,
    });
    const id = await say('before');
    await setAccess('role:members');
    try {
      await at.cordelia.client.subscriptions.remove({ subscriptions: [at.channel] });
      await at.cordelia.client.messages.edit({
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
  await sendDirect('a very secret content');
  expect(await messagesOn()).toEqual(['a very secret content']);
  expect(at.stack.chat.logged()).not.toContain('secret content');
});
