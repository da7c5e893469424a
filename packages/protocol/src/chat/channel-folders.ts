import { z } from 'zod';

import { Description, Html, Name, Timestamp } from '../values/fields.ts';
import { ChannelFolderId, UserId } from '../values/ids.ts';
import { MAX_LIST_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed, withRow } from './changed.ts';

export const MAX_CHANNEL_FOLDER_NAME_LENGTH = 60;
export const MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH = 1024;

/** A folder of channels, the same for all users of the realm. */
export const ChannelFolder = z
  .object({
    id: ChannelFolderId,
    name: Name,
    description: Description,
    rendered_description: Html,
    /** UNIX time in seconds. */
    date_created: Timestamp,
    creator_id: UserId.nullable(),
    is_archived: z.boolean(),
    /** The position among the folders; smaller ones come first. */
    order: z.int(),
  })
  .meta({ id: 'ChannelFolder' });
export type ChannelFolder = z.output<typeof ChannelFolder>;

const type = z.literal('channel_folder');
/** A channel folder was added or changed, or the folders have another order. */
export const ChannelFolderEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), channel_folder: ChannelFolder }),
  z.object({
    type,
    op: z.literal('update'),
    channel_folder_id: ChannelFolderId,
    /** The properties that changed. */
    data: z.object({
      name: Name.optional(),
      description: Description.optional(),
      rendered_description: Html.optional(),
      is_archived: z.boolean().optional(),
    }),
  }),
  z.object({ type, op: z.literal('reorder'), order: z.array(ChannelFolderId) }),
]);

const state = { channel_folders: section({ channel_folders: z.array(ChannelFolder) }) };

const applyChannelFolder = (
  known: StateOf<typeof state>,
  event: z.output<typeof ChannelFolderEvent>,
): StateOf<typeof state> =>
  changed(known, 'channel_folders', (folders) => {
    switch (event.op) {
      case 'add':
        return withRow(folders, 'id', event.channel_folder);
      case 'update':
        return folders.map((folder) =>
          folder.id === event.channel_folder_id ? Object.assign({ ...folder }, event.data) : folder,
        );
      case 'reorder':
        return folders.map((folder) => ({ ...folder, order: event.order.indexOf(folder.id) }));
    }
  });

const name = Name.max(MAX_NAME_LENGTH);
const description = Description.max(MAX_TEXT_LENGTH);

export const channelFolders = resource({
  endpoints: {
    create: endpoint('POST /channel_folders/create', {
      summary: 'Create a channel folder',
      since: 389,
      access: 'admin',
      params: { name, description: description.default('') },
      result: { channel_folder_id: ChannelFolderId },
      emits: [ChannelFolderEvent],
    }),

    list: endpoint('GET /channel_folders', {
      summary: 'Get the channel folders',
      since: 389,
      access: 'user',
      params: { include_archived: z.boolean().default(false) },
      result: { channel_folders: z.array(ChannelFolder) },
    }),

    reorder: endpoint('PATCH /channel_folders', {
      summary: 'Reorder the channel folders',
      since: 414,
      access: 'admin',
      params: {
        order: z.array(ChannelFolderId).max(MAX_LIST_LENGTH).meta({
          description: 'The IDs of all channel folders, archived ones too, in their new order',
        }),
      },
      emits: [ChannelFolderEvent],
    }),

    update: endpoint('PATCH /channel_folders/{channel_folder_id}', {
      summary: 'Rename, describe, archive or unarchive a channel folder',
      since: 389,
      access: 'admin',
      params: {
        channel_folder_id: ChannelFolderId,
        name: name.optional(),
        description: description.optional(),
        is_archived: z.boolean().optional().meta({
          description: 'A folder that contains channels cannot be archived',
        }),
      },
      emits: [ChannelFolderEvent],
    }),
  },
  events: [event(ChannelFolderEvent, applyChannelFolder)],
  state,
});
