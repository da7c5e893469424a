import type { ChannelFolderId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedWith } from '../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const create = async ({ client }: Person, name: string, description = '') =>
  (await client.channelFolders.create({ name, description })).channel_folder_id;
const list = async (include_archived = false) =>
  (await chat.people.hamlet.client.channelFolders.list({ include_archived })).channel_folders;
const update = (channel_folder_id: ChannelFolderId, change: object) =>
  chat.people.iago.client.channelFolders.update({ channel_folder_id, ...change });

describe('channel folders', () => {
  test('only administrators create, change and reorder them; every user lists them', async () => {
    const { iago, shiva, polonius } = chat.people;
    const queue = await listen(polonius, { event_types: ['channel_folder'] });
    const id = await create(iago, ' Projects ', 'about *work*');
    const folder = {
      id,
      name: 'Projects',
      description: 'about *work*',
      rendered_description: '<p>about <em>work</em></p>',
      creator_id: iago.user.id,
      is_archived: false,
      order: 0,
    };
    expect((await polonius.client.channelFolders.list()).channel_folders).toMatchObject([folder]);
    expect(await queue.all()).toMatchObject([{ op: 'add', channel_folder: folder }]);
    const unauthorized = { code: 'UNAUTHORIZED_PRINCIPAL' };
    const { client } = shiva;
    await expect(create(shiva, 'x')).rejects.toMatchObject(unauthorized);
    await expect(
      client.channelFolders.update({ channel_folder_id: id, name: 'x' }),
    ).rejects.toMatchObject(unauthorized);
    await expect(client.channelFolders.reorder({ order: [id] })).rejects.toMatchObject(
      unauthorized,
    );
  });

  test('have names of 1 to 60 printable characters, each used once in any letter case', async () => {
    const { iago } = chat.people;
    const id = await create(iago, 'Teams');
    for (const [name, message] of [
      ['tEAMS', 'Channel folder name already in use'],
      [' ', "Channel folder name can't be empty."],
      ['x'.repeat(61), 'Channel folder name too long (limit: 60 characters).'],
      ['a\u0007', 'Invalid character in channel folder name, at position 2.'],
    ] as const)
      await expect(create(iago, name)).rejects.toMatchObject(refusedWith(message));
    await expect(create(iago, 'long', 'x'.repeat(1025))).rejects.toMatchObject(
      refusedWith('Channel folder description too long (limit: 1024 characters).'),
    );
    await update(id, { name: 'TEAMS' });
    expect((await list()).map(({ name }) => name)).toContain('TEAMS');
  });

  test('take a new order only if it names every folder once', async () => {
    const { iago } = chat.people;
    const archived = await create(iago, 'old');
    await update(archived, { is_archived: true });
    const ids = (await list(true)).map(({ id }) => id);
    const queue = await listen(iago, { event_types: ['channel_folder'] });
    const reorder = (order: ChannelFolderId[]) => iago.client.channelFolders.reorder({ order });
    for (const order of [ids.slice(1), [...ids.slice(1), ids[1]], [...ids, ids[0]]])
      await expect(reorder(order as ChannelFolderId[])).rejects.toMatchObject(
        refusedWith('Invalid order mapping.'),
      );
    const order = ids.toReversed();
    await reorder(order);
    expect((await list(true)).map(({ id }) => id)).toEqual(order);
    expect((await list()).map(({ id }) => id)).not.toContain(archived);
    expect(await queue.all()).toMatchObject([{ op: 'reorder', order }]);
  });

  test('contain channels; a folder with channels is not archived, an archived one takes none', async () => {
    const { iago, hamlet } = chat.people;
    const folder_id = await create(iago, 'Plays');
    const { id } = await hamlet.client.channels.create({ name: 'A', subscribers: [], folder_id });
    const queue = await listen(iago, { event_types: ['stream', 'channel_folder'] });
    await expect(update(folder_id, { is_archived: true })).rejects.toMatchObject(
      refusedWith('You need to remove all the channels from this folder to archive it.'),
    );
    await hamlet.client.channels.update({ stream_id: id, folder_id: null });
    await update(folder_id, { is_archived: true });
    expect(await queue.all()).toMatchObject([
      { type: 'stream', op: 'update', stream_id: id, property: 'folder_id', value: null },
      {
        type: 'channel_folder',
        op: 'update',
        channel_folder_id: folder_id,
        data: { is_archived: true },
      },
    ]);
    const invalid = refusedWith('Invalid channel folder ID');
    const put = () => hamlet.client.channels.update({ stream_id: id, folder_id });
    await expect(put()).rejects.toMatchObject(invalid);
    await expect(
      hamlet.client.channels.create({ name: 'B', subscribers: [], folder_id }),
    ).rejects.toMatchObject(invalid);
    await update(folder_id, { is_archived: false });
    await put();
    expect((await hamlet.client.channels.one({ stream_id: id })).stream.folder_id).toBe(folder_id);
    await expect(update(999_999 as ChannelFolderId, { name: 'x' })).rejects.toMatchObject(invalid);
  });
});
