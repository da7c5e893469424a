import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { download, upload } from '../../uploads/uploads.fixture.ts';

let chat: TestChat;
/** Was subscribed when the early message was sent. */
let early: Person;
/** Subscribes later; a member and a guest. */
let late: readonly Person[];
let made = 0;
let name: string;
let channel: ChannelId;
let url: string;
let first: MessageId;
let second: MessageId;

beforeAll(async () => {
  chat = await startTestChat();
  early = chat.people.hamlet;
  late = [chat.people.cordelia, chat.people.polonius];
});
afterAll(() => chat[Symbol.asyncDispose]());

/** A private channel without shared history: a message from before the others subscribe, and one after. */
beforeEach(async () => {
  name = `vault ${++made}`;
  channel = await addChannel(chat, {
    name,
    subscribers: [early, chat.people.desdemona],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  url = await upload(early);
  first = await say('early topic', `words before https://a.test [notes](${url})`);
  await chat.people.desdemona.client.reactions.add({ message_id: first, emoji_name: 'tada' });
  for (const { user } of late) await subscribe(chat, channel, user.id);
  second = await say('late topic', 'words after https://a.test');
  await chat.people.desdemona.client.reactions.add({ message_id: second, emoji_name: 'tada' });
});

const say = async (topic: string, content: string, { client }: Person = early) =>
  (await client.messages.send({ type: 'channel', to: name, topic, content })).id;
const invalid = { code: 'BAD_REQUEST', message: 'Invalid message(s)' };

async function found({ client }: Person, ...narrow: [operator: string, operand: unknown][]) {
  const { messages } = await client.messages.fetch({
    anchor: 'newest',
    num_before: 100,
    narrow: narrow.map(([operator, operand]) => ({ operator, operand: operand as string })),
  });
  return messages.map(({ id }) => id).filter((id) => id >= first);
}

describe('a channel with protected history shows somebody who subscribed later', () => {
  test('only the messages from then on, in every narrow', async () => {
    const narrows: [operator: string, operand: unknown][][] = [
      [],
      [['channel', name]],
      [['channel', channel]],
      [['sender', early.user.id]],
      [['has', 'link']],
      [['has', 'reaction']],
      [['search', 'words']],
      [['in', 'home']],
      [['is', 'unread']],
      [['near', first]],
    ];
    for (const narrow of narrows) {
      const about = JSON.stringify(narrow);
      for (const one of late) expect(await found(one, ...narrow), about).toEqual([second]);
      expect(await found(chat.people.desdemona, ...narrow), about).toEqual([first, second]);
    }
  });

  test('nothing in narrows that only earlier messages match', async () => {
    for (const one of late) {
      const at = ['channel', name] as [string, string];
      expect(await found(one, at, ['topic', 'early topic'])).toEqual([]);
      expect(await found(one, ['search', 'before'])).toEqual([]);
      expect(await found(one, ['has', 'attachment'])).toEqual([]);
      expect(await found(one, ['id', first])).toEqual([]);
      // A message that they may not read does not change the topic of the narrow.
      expect(await found(one, at, ['topic', 'late topic'], ['with', first])).toEqual([second]);
    }
  });

  test('the later topics only', async () => {
    for (const { client } of late) {
      const { topics } = await client.channels.topics({ stream_id: channel });
      expect(topics).toEqual([{ name: 'late topic', max_id: second }]);
    }
    const { topics } = await early.client.channels.topics({ stream_id: channel });
    expect(topics).toHaveLength(2);
  });

  test('the later messages as the only unread ones', async () => {
    for (const { client } of late) {
      const { unread_msgs } = await client.queues.register();
      const here = unread_msgs?.streams.filter(({ stream_id }) => stream_id === channel);
      expect(here).toMatchObject([{ topic: 'late topic', unread_message_ids: [second] }]);
    }
  });
});

describe('a message from before the subscription, in a channel with protected history', () => {
  const calls: Record<string, (one: Person) => Promise<unknown>> = {
    'GET /messages/{message_id}': ({ client }) => client.messages.fetchOne({ message_id: first }),
    'GET /messages/{message_id}/history': ({ client }) =>
      client.messages.history({ message_id: first }),
    'GET /messages/{message_id}/read_receipts': ({ client }) =>
      client.messages.readReceipts({ message_id: first }),
    'POST /messages/{message_id}/reactions': ({ client }) =>
      client.reactions.add({ message_id: first, emoji_name: 'tada' }),
    'DELETE /messages/{message_id}/reactions': ({ client }) =>
      client.reactions.remove({ message_id: first, emoji_name: 'tada' }),
    'POST /messages/flags': ({ client }) =>
      client.messages.setFlag({ messages: [first], op: 'add', flag: 'starred' }),
    'POST /submessage': ({ client }) =>
      client.submessages.add({ message_id: first, msg_type: 'widget', content: '{}' }),
    'POST /reminders': ({ client }) =>
      client.reminders.add({ message_id: first, scheduled_delivery_timestamp: 4_000_000_000 }),
    'PATCH /messages/{message_id}': ({ client }) =>
      client.messages.edit({ message_id: first, topic: 'x' }),
    'DELETE /messages/{message_id}': ({ client }) => client.messages.remove({ message_id: first }),
    'POST /messages/{message_id}/typing': ({ client }) =>
      client.typing.edit({ message_id: first, op: 'start' }),
  };
  test.each(Object.entries(calls))('is a missing message for %s', async (_route, call) => {
    for (const one of late) await expect(call(one)).rejects.toMatchObject(invalid);
  });

  test('is left out by message_ids, and by matches_narrow', async () => {
    for (const { client } of late) {
      const ids = [first, second];
      const { messages } = await client.messages.fetch({ message_ids: ids });
      expect(messages.map(({ id }) => id)).toEqual([second]);
      const narrow = [{ operator: 'channel', operand: name }];
      const matched = await client.messages.matchesNarrow({ msg_ids: ids, narrow });
      expect(Object.keys(matched.messages)).toEqual([String(second)]);
    }
  });

  test('is not starred by a narrow of its channel', async () => {
    for (const { client } of late) {
      const { processed_count } = await client.messages.setFlagInNarrow({
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: name }],
        op: 'add',
        flag: 'starred',
      });
      expect(processed_count).toBe(1);
    }
  });

  test('does not open its file', async () => {
    for (const one of late) {
      expect((await download(chat, one, url)).status).toBe(404);
      expect((await chat.ask(one, `GET ${url}`)).status).toBe(404);
      // A link to a file that the sender may not download attaches nothing.
      await say('late topic', `[mine](${url})`, one);
      expect((await download(chat, one, url)).status).toBe(404);
    }
  });

  test('sends no event when it is edited, moved, reacted to, typed in and deleted', async () => {
    const event_types = [
      'message',
      'update_message',
      'delete_message',
      'reaction',
      'typing_edit_message',
      'update_message_flags',
    ];
    const queues = await Promise.all(
      [...late, early].map((one) => listen(one, { event_types, all_public_streams: false })),
    );
    const { messages, typing, reactions } = early.client;
    await typing.edit({ message_id: first, op: 'start' });
    await messages.edit({ message_id: first, content: 'changed' });
    await reactions.add({ message_id: first, emoji_name: 'tada' });
    await chat.people.desdemona.client.messages.edit({
      message_id: first,
      topic: 'elsewhere',
      send_notification_to_new_thread: false,
    });
    await chat.people.desdemona.client.messages.remove({ message_id: first });
    const [ofMember, ofGuest, ofEarly] = await Promise.all(queues.map((queue) => queue.all()));
    expect([ofMember, ofGuest]).toEqual([[], []]);
    expect(new Set(ofEarly?.map(({ type }) => type))).toEqual(
      new Set(['update_message', 'reaction', 'delete_message']),
    );
  });
});

test('the messages from a former subscription are readable again after subscribing again', async () => {
  const [cordelia] = late;
  if (!cordelia) throw new Error('nobody');
  const leave = () =>
    chat.people.desdemona.client.subscriptions.remove({
      subscriptions: [name],
      principals: [cordelia.user.id],
    });
  await leave();
  const between = await say('late topic', 'in between');
  for (const id of [first, second, between])
    await expect(cordelia.client.messages.fetchOne({ message_id: id })).rejects.toMatchObject(
      invalid,
    );
  await subscribe(chat, channel, cordelia.user.id);
  expect(await found(cordelia, ['channel', name])).toEqual([second]);
});
