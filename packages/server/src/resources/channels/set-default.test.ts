import { afterAll, beforeAll, expect, test } from 'vitest';

import { refusedWith } from '../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { addChannel } from './channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

test('POST and DELETE /default_streams change the default channels, with one event each', async () => {
  const { iago, hamlet, polonius } = chat.people;
  const stream_id = await addChannel(chat, { name: 'lobby', subscribers: [] });
  const queues = [await listen(hamlet), await listen(polonius)];
  await iago.client.channels.addDefault({ stream_id });
  await iago.client.channels.addDefault({ stream_id });
  await iago.client.channels.removeDefault({ stream_id });
  await iago.client.channels.removeDefault({ stream_id });
  const events = queues.map((queue) => queue.events('default_streams'));
  expect(await Promise.all(events)).toMatchObject([
    [{ default_streams: [stream_id] }, { default_streams: [] }],
    [],
  ]);
});

test('default channels are public and not archived, and only administrators change them', async () => {
  const { iago, shiva } = chat.people;
  const add = (
    { client }: Person,
    stream_id: Parameters<typeof client.channels.addDefault>[0]['stream_id'],
  ) => client.channels.addDefault({ stream_id });
  const hidden = await addChannel(chat, { name: 'h', subscribers: [], invite_only: true });
  const old = await addChannel(chat, { name: 'old', subscribers: [], is_archived: true });
  const open = await addChannel(chat, { name: 'open', subscribers: [] });
  await expect(add(iago, hidden)).rejects.toMatchObject(
    refusedWith('A default channel cannot be private.'),
  );
  const isArchived = refusedWith("Channel 'old' is archived.");
  await expect(add(iago, old)).rejects.toMatchObject(isArchived);
  const update = { stream_id: old, is_default_stream: true };
  await expect(iago.client.channels.update(update)).rejects.toMatchObject(isArchived);
  await expect(add(iago, 999_999 as never)).rejects.toMatchObject(
    refusedWith('Invalid channel ID'),
  );
  await expect(add(shiva, open)).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
});
