import {
  badRequest,
  characterCount,
  type DefaultChannelGroup,
  type DefaultChannelGroupId,
  foldCase,
  MAX_DEFAULT_CHANNEL_GROUP_DESCRIPTION_LENGTH,
  MAX_DEFAULT_CHANNEL_GROUP_NAME_LENGTH,
  roles,
} from '@bellhop/protocol';

import type { Db, LockedTx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Resource } from '../../engine/resource.ts';
import { isPublic } from '../../model/channels/access.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import { channelsWithAccess } from '../../model/channels/channels-with-access.ts';
import * as queries from '../../model/default-channel-groups/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { emitDefaultChannelGroups, offeredGroups } from './offered-groups.ts';

export const defaultChannelGroups: Resource<'defaultChannelGroups'> = {
  handlers: {
    async create({ realm, user, params, db, emit }) {
      const name = checkName(params.group_name);
      const description = checkDescription(params.description);
      const rows = await channelsToAdd(db, user, { group: name, names: params.stream_names });
      const group_id = await queries.insert(db, realm.id, { name, description });
      if (group_id === undefined) throw nameTaken(name);
      await queries.addChannels(db, realm.id, { group_id, channels: rows.map(({ id }) => id) });
      await requireRoom(db, 'default_channel_group', { realm_id: realm.id });
      await requireRoom(db, 'default_channel_group_channel', { realm_id: realm.id, group_id });
      await emitDefaultChannelGroups({ db, emit }, realm);
      return {};
    },

    async update({ realm, params, db, emit }) {
      const { group_id, new_group_name, new_description } = params;
      if (new_group_name === undefined && new_description === undefined)
        throw badRequest('You must pass "new_description" or "new_group_name".');
      const group = await groupToChange(db, realm, group_id);
      const name = new_group_name === undefined ? group.name : checkName(new_group_name);
      const description =
        new_description === undefined ? group.description : checkDescription(new_description);
      const others = (await queries.ofRealm(db, realm.id)).filter(({ id }) => id !== group_id);
      if (others.some((other) => other.name === name)) throw nameTaken(name);
      await queries.update(db, realm.id, { id: group_id, name, description });
      await emitDefaultChannelGroups({ db, emit }, realm);
      return {};
    },

    async remove({ realm, params: { group_id }, db, emit }) {
      await groupToChange(db, realm, group_id);
      await queries.remove(db, realm.id, group_id);
      await emitDefaultChannelGroups({ db, emit }, realm);
      return {};
    },

    async updateChannels({ realm, user, params, db, emit }) {
      const { group_id, op, stream_names } = params;
      const { name, streams } = await groupToChange(db, realm, group_id);
      const isAdded = op === 'add';
      const rows = isAdded
        ? await channelsToAdd(db, user, { group: name, names: stream_names })
        : await channelsByName(db, user, stream_names);
      const wrong = rows.find(({ id }) => streams.includes(id) === isAdded);
      if (wrong)
        throw badRequest(
          `Channel '${wrong.name}' is ${isAdded ? 'already' : 'not'} present in default channel group '${name}'`,
        );
      const change = isAdded ? queries.addChannels : queries.removeChannels;
      await change(db, realm.id, { group_id, channels: rows.map(({ id }) => id) });
      if (isAdded)
        await requireRoom(db, 'default_channel_group_channel', { realm_id: realm.id, group_id });
      await emitDefaultChannelGroups({ db, emit }, realm);
      return {};
    },
  },
  state: {
    default_stream_groups: async ({ db, realm, user }) => ({
      realm_default_stream_groups:
        user.role === roles.guest ? [] : await offeredGroups(db, realm.id),
    }),
  },
};

const nameTaken = (name: string) => badRequest(`Default channel group '${name}' already exists`);

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || /\p{C}/u.test(trimmed))
    throw badRequest(`Invalid default channel group name '${trimmed}'`);
  if (characterCount(trimmed) > MAX_DEFAULT_CHANNEL_GROUP_NAME_LENGTH)
    throw badRequest(
      `Default channel group name too long (limit: ${MAX_DEFAULT_CHANNEL_GROUP_NAME_LENGTH} characters)`,
    );
  return trimmed;
}

function checkDescription(description: string): string {
  if (characterCount(description) > MAX_DEFAULT_CHANNEL_GROUP_DESCRIPTION_LENGTH)
    throw badRequest(
      `Default channel group description too long (limit: ${MAX_DEFAULT_CHANNEL_GROUP_DESCRIPTION_LENGTH} characters)`,
    );
  return description;
}

/** Throws BAD_REQUEST if there is none. */
async function groupToChange(
  tx: LockedTx,
  realm: Realm,
  id: DefaultChannelGroupId,
): Promise<DefaultChannelGroup> {
  const group = (await queries.ofRealm(tx, realm.id)).find((one) => one.id === id);
  if (!group) throw badRequest(`Default channel group with id '${id}' does not exist.`);
  return group;
}

/** The channels with these names, in their order. Throws BAD_REQUEST for one that the user does not see. */
async function channelsByName(
  db: Db,
  user: User,
  names: readonly string[],
): Promise<channelRows.ChannelRow[]> {
  const rows = await channelRows.byNames(db, user.realm_id, names);
  const viewed = await channelsWithAccess(db, user, rows);
  const seen = viewed.filter(({ access }) => access.seesMetadata).map(({ row }) => row);
  const byName = new Map(seen.map((row) => [foldCase(row.name), row]));
  const unique = [...new Set(names.map((name) => foldCase(name.trim())))];
  return unique.map((name) => {
    const row = byName.get(name);
    if (!row) throw badRequest(`Invalid channel name '${name}'`);
    return row;
  });
}

/** The channels to add to a group. Throws BAD_REQUEST for one that is private, archived or a default channel. */
async function channelsToAdd(
  db: Db,
  user: User,
  { group, names }: { readonly group: string; readonly names: readonly string[] },
): Promise<channelRows.ChannelRow[]> {
  const rows = await channelsByName(db, user, names);
  for (const row of rows) {
    if (!isPublic(row)) throw badRequest('A default channel cannot be private.');
    if (row.is_archived) throw badRequest(`Channel '${row.name}' is archived.`);
    if (row.is_default)
      throw badRequest(`'${row.name}' is a default channel and cannot be added to '${group}'`);
  }
  return rows;
}
