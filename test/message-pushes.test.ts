import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { usePushReader } from './support/push-reader.ts';
import { activatePhones } from './support/push-stack.ts';

const { at, db, settled, received, channelId, messagesOn, sendDirect, say, setSubscription } =
  usePushReader();

const setPolicy = async (visibility_policy: 0 | 1 | 2 | 3, topic = 'plans') =>
  at.reader.client.userTopics.set({ stream_id: await channelId(), topic, visibility_policy });

describe('a direct message', () => {
  test('reaches both phones and the browser of an idle user, and disappears from them when read elsewhere', async () => {
    const [iphone, browser] = [at.stack.newPhone('apns'), at.stack.newPhone('webpush')];
    await activatePhones(at.reader, iphone, browser);
    const id = await sendDirect('to be **or** not :wave:');
    const common = {
      realm_url: 'http://chat.test',
      realm_name: 'Test',
      user_id: at.reader.user.id,
    };
    for (const one of [at.phone, iphone, browser])
      expect(await received(one)).toEqual([
        {
          ...common,
          recipient_user_ids: [at.reader.user.id, at.cordelia.user.id].toSorted((a, b) => a - b),
          type: 'message',
          recipient_type: 'direct',
          message_id: id,
          sender_id: at.cordelia.user.id,
          sender_full_name: 'Cordelia',
          sender_avatar_url: expect.stringMatching(/^https:/) as string,
          time: expect.any(Number) as number,
          content: 'to be or not 👋',
        },
      ]);
    await at.reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    for (const one of [at.phone, iphone, browser])
      expect((await received(one))[1]).toEqual({ ...common, type: 'remove', message_ids: [id] });
    expect(at.phone.received()[1]?.notification).toMatchObject({ priority: 'normal' });
    const background = { priority: 5, push_type: 'background' };
    expect(iphone.received()[1]?.notification).toMatchObject(background);
    expect(browser.received()[1]?.notification).toMatchObject({ urgency: 'normal' });
  });

  test('of a group names all participants in pm_users', async () => {
    const { hamlet } = at.stack.chat.people;
    const to = [at.reader.user.id, hamlet.user.id];
    await at.cordelia.client.messages.send({ type: 'direct', to, content: 'x' });
    const ids = [...to, at.cordelia.user.id].toSorted((a, b) => a - b);
    expect(await received()).toMatchObject([{ pm_users: ids.join(',') }]);
  });

  test('is not pushed to its sender, nor to a user who has muted the sender', async () => {
    await at.reader.client.mutedUsers.add({ user_id: at.cordelia.user.id });
    await sendDirect('x');
    await at.reader.client.messages.send({ type: 'direct', to: [at.reader.user.id], content: 'x' });
    expect(await received()).toEqual([]);
  });

  test('is not pushed with enable_offline_push_notifications switched off', async () => {
    await at.reader.client.settings.update({ enable_offline_push_notifications: false });
    await sendDirect('x');
    expect(await received()).toEqual([]);
  });

  test('of 10,000 characters is cut after 200 between characters as a reader sees them', async () => {
    const iphone = at.stack.newPhone('apns');
    await activatePhones(at.reader, iphone);
    const family = '👩‍👩‍👧';
    // Five code points each.
    await sendDirect(`xy${family.repeat(1_200)}`);
    for (const one of [at.phone, iphone]) {
      const [payload] = await received(one);
      expect(payload?.content).toBe(`xy${family.repeat(39)}…`);
    }
  });
});

test('a direct message of exactly 200 characters is pushed as a whole', async () => {
  const whole = '🐈'.repeat(200);
  await sendDirect(whole);
  // Pushes of different messages are sent side by side.
  await settled();
  await sendDirect(`${whole}x`);
  expect(await received()).toMatchObject([{ content: whole }, { content: `${whole}…` }]);
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
        channel_name: at.channel,
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
    await settled();
    await setPolicy(3, 'followed');
    await say('4', 'followed');
    expect(await messagesOn()).toEqual(['3', '4']);
  });

  test('with a mention of a user is pushed even in a muted topic', async () => {
    await setPolicy(1);
    await say(`@**${at.reader.user.full_name}** look`);
    expect(await messagesOn()).toEqual([`@${at.reader.user.full_name} look`]);
  });

  test('a message that mentions a user who is not subscribed is not pushed to that user', async () => {
    await at.reader.client.subscriptions.remove({ subscriptions: [at.channel] });
    await say(`@**${at.reader.user.full_name}** look`);
    expect(await messagesOn()).toEqual([]);
  });

  test('with a mention of a group names the smallest group of the user', async () => {
    const names = [`large ${at.serial}`, `small ${at.serial}`];
    const members = [at.cordelia.user.id, at.reader.user.id];
    await at.cordelia.client.userGroups.create({ name: names[0] ?? '', description: '', members });
    const { group_id } = await at.cordelia.client.userGroups.create({
      name: names[1] ?? '',
      description: '',
      members: [at.reader.user.id],
    });
    await settled();
    const before = at.phone.received().length;
    await say(names.map((name) => `@*${name}*`).join(' '));
    expect((await received()).slice(before)).toMatchObject([
      { mentioned_user_group_id: group_id, mentioned_user_group_name: names[1] },
    ]);
  });

  test('a message that is pushed for the channel alone names no group, although it mentions one', async () => {
    const name = `group ${at.serial}`;
    const members = [at.reader.user.id];
    await at.cordelia.client.userGroups.create({ name, description: '', members });
    await at.reader.client.settings.update({ enable_offline_push_notifications: false });
    await setSubscription('push_notifications', true);
    await settled();
    const before = at.phone.received().length;
    await say(`@*${name}*`);
    const payload = (await received())[before];
    expect(payload).toMatchObject({ recipient_type: 'channel', content: `@${name}` });
    expect(payload).not.toHaveProperty('mentioned_user_group_id');
    expect(payload).not.toHaveProperty('mentioned_user_group_name');
  });

  test('with a mention of everyone is pushed by wildcard_mentions_notify of the channel', async () => {
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
    const edit = (content: string) => at.cordelia.client.messages.edit({ message_id, content });
    await edit(`@**${at.reader.user.full_name}** look`);
    await settled();
    await edit('look');
    await edit(`look, @**${at.reader.user.full_name}**`);
    expect(await messagesOn()).toEqual([`@${at.reader.user.full_name} look`]);
  });
});

describe('an online user', () => {
  const goOnline = async () => {
    await at.reader.client.queues.register({ event_types: ['message'] });
    await at.reader.client.presence.update({ status: 'active' });
  };
  const wait = () => at.reader.client.settings.update({ enable_online_push_notifications: false });

  test('gets pushes by enable_online_push_notifications', async () => {
    await goOnline();
    await sendDirect('one');
    await wait();
    await sendDirect('two');
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
    await sendDirect('still online');
    await due();
    expect(await messagesOn()).toEqual([]);
    await sendDirect('idle by then');
    await sql`update user_presence set active_at = active_at - 300
      where user_id = ${at.reader.user.id}`.execute(db());
    await due();
    expect(await messagesOn()).toEqual(['idle by then']);
  });

  test('counts as idle without a queue for messages, and with presence_enabled switched off', async () => {
    await wait();
    await at.reader.client.presence.update({ status: 'active' });
    await sendDirect('no queue');
    // Pushes of different messages are sent side by side.
    await settled();
    await at.reader.client.queues.register({ event_types: ['typing'] });
    await sendDirect('a queue for other events');
    await settled();
    await goOnline();
    await at.reader.client.settings.update({ presence_enabled: false });
    await sendDirect('no presence');
    expect(await messagesOn()).toEqual(['no queue', 'a queue for other events', 'no presence']);
  });
});
