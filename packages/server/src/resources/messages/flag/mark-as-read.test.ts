import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
let channel: number;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  channel = await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'venice', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet], invite_only: true });
});
beforeEach(async () => {
  const { hamlet, cordelia } = chat.people;
  await send(hamlet, 'denmark', 'news');
  await send(hamlet, 'denmark', 'plans');
  await send(hamlet, 'venice', 'news');
  const to = [cordelia.user.id];
  await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = ({ client }: Person, to: string, topic: string) =>
  client.messages.send({ type: 'channel', to, topic, content: 'x' });
const unread = async () => {
  const { unread_msgs } = await chat.people.cordelia.client.queues.register();
  const { streams = [], pms = [] } = unread_msgs ?? {};
  return [
    ...streams.map(({ stream_id, topic }) => `${stream_id} ${topic}`),
    ...pms.map(() => 'dm'),
  ];
};
const ask = (path: string, fields: Record<string, string> = {}) =>
  chat.ask(chat.people.cordelia, `POST /${path}`, fields);

describe('deprecated endpoints', () => {
  test('POST /mark_all_as_read marks everything, with one event', async () => {
    const queue = await listen(chat.people.cordelia);
    expect((await ask('mark_all_as_read')).body).toEqual({
      result: 'success',
      msg: '',
      complete: true,
    });
    expect(await unread()).toEqual([]);
    expect(await queue.all()).toMatchObject([{ op: 'add', flag: 'read', all: false }]);
    await ask('mark_all_as_read');
    expect(await queue.all()).toEqual([]);
  });

  test('POST /mark_stream_as_read marks only the messages of the channel', async () => {
    const { status } = await ask('mark_stream_as_read', { stream_id: String(channel) });
    expect(status).toBe(200);
    expect(await unread()).toEqual([`${channel + 1} news`, 'dm']);
  });

  test('POST /mark_topic_as_read marks only the messages of the topic, ignoring case', async () => {
    await ask('mark_all_as_read');
    await send(chat.people.hamlet, 'denmark', 'news');
    await send(chat.people.hamlet, 'denmark', 'plans');
    const fields = { stream_id: String(channel), topic_name: 'NEWS' };
    expect((await ask('mark_topic_as_read', fields)).status).toBe(200);
    expect(await unread()).toEqual([`${channel} plans`]);
  });

  test('a topic without messages and a channel that the user may not see are refused', async () => {
    const noTopic = { stream_id: String(channel), topic_name: 'nothing' };
    const { msg } = await expectRefused(ask('mark_topic_as_read', noTopic), 'BAD_REQUEST');
    expect(msg).toBe("No such topic 'nothing'");
    const { stream_id } = await chat.people.hamlet.client.channels.id({ stream: 'council' });
    for (const id of [stream_id, 999_999])
      for (const path of ['mark_stream_as_read', 'mark_topic_as_read']) {
        const fields = { stream_id: String(id), topic_name: 'news' };
        expect((await expectRefused(ask(path, fields)))['msg']).toBe('Invalid channel ID');
      }
  });
});
