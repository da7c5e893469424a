import {
  badRequest,
  type ChannelFolder,
  characterCount,
  foldCase,
  MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH,
  MAX_CHANNEL_FOLDER_NAME_LENGTH,
} from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { renderMarkdown } from '../../markdown/render-markdown.ts';
import * as queries from '../../model/channel-folders/queries.ts';
import { hasFolder } from '../../model/channels/channel-rows.ts';
import { printableName } from '../../model/channels/create/channel-name.ts';
import { requireRoom } from '../../model/require-room.ts';

const handlers: Handlers<'channelFolders'> = {
  async create({ user, realm, params, db, emit, app }) {
    const name = checkName(params.name);
    const described = checkDescription(realm, params.description);
    requireFree(name, await queries.ofRealm(db, realm.id));
    const channel_folder = await queries.insert(db, {
      realm_id: realm.id,
      name,
      ...described,
      creator_id: user.id,
      date_created: new Date(app.now() * 1000),
    });
    await requireRoom(db, 'channel_folder', { realm_id: realm.id });
    emit({ type: 'channel_folder', op: 'add', channel_folder }, EVERYBODY);
    return { channel_folder_id: channel_folder.id };
  },

  async list({ realm, params, db }) {
    const folders = await queries.ofRealm(db, realm.id);
    const shown = folders.filter(({ is_archived }) => params.include_archived || !is_archived);
    return { channel_folders: shown.toSorted((a, b) => a.order - b.order) };
  },

  async reorder({ realm, params: { order }, db, emit }) {
    const ids = (await queries.ofRealm(db, realm.id)).map(({ id }) => id);
    const given = new Set(order);
    if (order.length !== ids.length || !ids.every((id) => given.has(id)))
      throw badRequest('Invalid order mapping.');
    await queries.reorder(db, realm.id, order);
    emit({ type: 'channel_folder', op: 'reorder', order }, EVERYBODY);
    return {};
  },

  async update({ realm, params, db, emit }) {
    const { channel_folder_id: id, is_archived } = params;
    const folders = await queries.ofRealm(db, realm.id);
    const folder = folders.find((one) => one.id === id);
    if (!folder) throw badRequest('Invalid channel folder ID');
    const data: queries.FolderColumns = {};
    if (params.name !== undefined) {
      data.name = checkName(params.name);
      requireFree(
        data.name,
        folders.filter((one) => one !== folder),
      );
    }
    if (params.description !== undefined)
      Object.assign(data, checkDescription(realm, params.description));
    if (is_archived !== undefined && is_archived !== folder.is_archived)
      data.is_archived = is_archived;
    if (Object.keys(data).length === 0) return {};
    // Channels that are put into the folder meanwhile wait for this row, and then find it archived.
    await queries.update(db, { realm_id: realm.id, id }, data);
    if (data.is_archived && (await hasFolder(db, realm.id, id)))
      throw badRequest('You need to remove all the channels from this folder to archive it.');
    emit({ type: 'channel_folder', op: 'update', channel_folder_id: id, data }, EVERYBODY);
    return {};
  },
};

export const channelFolders: Resource<'channelFolders'> = {
  handlers,
  state: {
    channel_folders: async ({ db, realm }) => ({
      channel_folders: await queries.ofRealm(db, realm.id),
    }),
  },
};

const checkName = (name: string): string =>
  printableName(name, { noun: 'channel folder name', most: MAX_CHANNEL_FOLDER_NAME_LENGTH });

function requireFree(name: string, others: readonly ChannelFolder[]): void {
  if (others.some((other) => foldCase(other.name) === foldCase(name)))
    throw badRequest('Channel folder name already in use');
}

function checkDescription({ url, emoji: customEmoji }: Realm, text: string) {
  const description = text.trim();
  if (characterCount(description) > MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH)
    throw badRequest(
      `Channel folder description too long (limit: ${MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH} characters).`,
    );
  if (description.includes('\0'))
    throw badRequest('Channel folder description must not contain null bytes.');
  const rendered_description =
    description === ''
      ? ''
      : renderMarkdown(description, { realmHost: new URL(url).host, wildcards: [], customEmoji })
          .html;
  return { description, rendered_description };
}
