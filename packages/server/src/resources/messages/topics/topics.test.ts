import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../../channels/channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async ({ client }: Person, to: string, topic: string) =>
  (await client.messages.send({ type: 'channel', to, topic, content: 'x' })).id;
const names = (topics: readonly { name: string }[]) => topics.map(({ name }) => name);

describe('GET /users/me/{stream_id}/topics', () => {
  test('returns each topic once with its newest message and spelling, newest first', async () => {
    const { hamlet } = chat.people;
    const stream_id = await addChannel(chat, { name: 'verona', subscribers: [hamlet] });
    const topicsOf = async (allow_empty_topic_name?: boolean) =>
      (await hamlet.client.channels.topics({ stream_id, allow_empty_topic_name })).topics;
    expect(await topicsOf()).toEqual([]);
    await send(hamlet, 'verona', 'Balcony');
    const empty = await send(hamlet, 'verona', '');
    const other = await send(hamlet, 'verona', 'tomb');
    const newest = await send(hamlet, 'verona', 'BALCONY');
    const topics = [
      { name: 'BALCONY', max_id: newest },
      { name: 'tomb', max_id: other },
    ];
    expect(await topicsOf()).toEqual([...topics, { name: 'general chat', max_id: empty }]);
    expect(await topicsOf(true)).toEqual([...topics, { name: '', max_id: empty }]);
  });

  test('returns from a channel with protected history only topics of received messages', async () => {
    const { hamlet, cordelia } = chat.people;
    const stream_id = await addChannel(chat, {
      name: 'crypt',
      subscribers: [hamlet],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await send(hamlet, 'crypt', 'before');
    const both = await send(hamlet, 'crypt', 'both');
    await subscribe(chat, stream_id, cordelia.user.id);
    const { id } = await hamlet.client.messages.send({
      type: 'channel',
      to: 'crypt',
      topic: 'after',
      content: 'x',
    });
    const { topics } = await cordelia.client.channels.topics({ stream_id });
    expect(topics).toEqual([{ name: 'after', max_id: id }]);
    const all = await hamlet.client.channels.topics({ stream_id });
    expect(names(all.topics)).toEqual(['after', 'both', 'before']);
    expect(all.topics[1]?.max_id).toBe(both);
  });

  test('refuses those who may not read the channel', async () => {
    const { hamlet, iago, shiva, polonius } = chat.people;
    const hidden = await addChannel(chat, { name: 'h', subscribers: [hamlet], invite_only: true });
    const open = await addChannel(chat, { name: 'o', subscribers: [] });
    const topicsOf = ({ client }: Person, stream_id: typeof open) =>
      client.channels.topics({ stream_id });
    expect((await topicsOf(shiva, open)).topics).toEqual([]);
    const invalid = { message: 'Invalid channel ID' };
    await expect(topicsOf(polonius, open)).rejects.toMatchObject(invalid);
    await expect(topicsOf(shiva, hidden)).rejects.toMatchObject(invalid);
    await expect(topicsOf(iago, hidden)).rejects.toMatchObject({
      message: 'Channel content access is required.',
    });
  });
});

test('the e-mail address of a channel is empty, and only readers get it', async () => {
  const { hamlet, polonius } = chat.people;
  const stream_id = await addChannel(chat, { name: 'mail', subscribers: [] });
  expect(await hamlet.client.channels.emailAddress({ stream_id })).toEqual({ email: '' });
  await expect(polonius.client.channels.emailAddress({ stream_id })).rejects.toMatchObject({
    message: 'Invalid channel ID',
  });
});
