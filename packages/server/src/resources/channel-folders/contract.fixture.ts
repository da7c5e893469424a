import type { ChannelFolderId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const newName = () => `Folder ${++count}`;
async function newFolder({ people }: Pick<TestChat, 'people'>): Promise<ChannelFolderId> {
  const { desdemona } = people;
  return (await desdemona.client.channelFolders.create({ name: newName() })).channel_folder_id;
}
const allIds = async ({ people }: Pick<TestChat, 'people'>): Promise<ChannelFolderId[]> => {
  const { channel_folders } = await people.desdemona.client.channelFolders.list({
    include_archived: true,
  });
  return channel_folders.map(({ id }) => id);
};

export const fixture: ContractFixture = {
  samples: {
    'POST /channel_folders/create': () => ({ name: newName() }),
    'PATCH /channel_folders': async (chat) => ({ order: JSON.stringify(await allIds(chat)) }),
    'PATCH /channel_folders/{channel_folder_id}': async (chat) => ({
      channel_folder_id: String(await newFolder(chat)),
    }),
  },
  parameters: { folder_id: newFolder },
  declared: {
    'POST /channel_folders/create channel_folder': ({ chat }) => newFolder(chat),
    'PATCH /channel_folders channel_folder': async ({ chat }) =>
      chat.people.iago.client.channelFolders.reorder({ order: await allIds(chat) }),
    'PATCH /channel_folders/{channel_folder_id} channel_folder': async ({ chat }) =>
      chat.people.iago.client.channelFolders.update({
        channel_folder_id: await newFolder(chat),
        description: 'about *it*',
      }),
  },
  changes: {
    'channel folders added, changed, archived and reordered': async (chat) => {
      const { client } = chat.people.iago;
      const [one, other] = [await newFolder(chat), await newFolder(chat)];
      await client.channelFolders.update({
        channel_folder_id: one,
        name: newName(),
        description: 'about *it*',
      });
      await client.channelFolders.update({ channel_folder_id: other, is_archived: true });
      await client.channelFolders.reorder({ order: (await allIds(chat)).toReversed() });
    },
    'a channel put into a folder and taken out of it': async (chat) => {
      const { client } = chat.people.iago;
      const folder_id = await newFolder(chat);
      const { id } = await client.channels.create({ name: newName(), subscribers: [], folder_id });
      await client.channels.update({ stream_id: id, folder_id: null });
    },
  },
};
