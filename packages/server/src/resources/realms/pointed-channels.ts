import { badRequest, type ChannelId } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change, Db, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isPublic } from '../channels/access.ts';
import { byIds } from '../channels/channel-rows.ts';
import { viewedChannels } from '../channels/viewed-channels.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';
import { moderationRequests } from './realm-settings.ts';

const announcements = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const;
const pointers = [...announcements, 'moderation_request_channel_id'] as const;
type Pointers = { readonly [N in (typeof pointers)[number]]?: ChannelId | -1 | undefined };

/**
 * Throws BAD_REQUEST unless the caller sees each channel to which the realm's messages are to go, and
 * the one for reports is private.
 */
export async function requirePointedChannels(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  requested: Pointers,
): Promise<void> {
  for (const name of announcements) await channelAt(db, { realm, user }, requested[name]);
  const channel = await channelAt(db, { realm, user }, requested.moderation_request_channel_id);
  if (channel && isPublic(channel.row)) throw mustBePrivate();
}

const mustBePrivate = () => badRequest('Moderation request channel must be private.');

/** Throws BAD_REQUEST if messages are reported to this channel: it may not become public. */
export async function requireNoReports(
  tx: Tx,
  realm: Pick<Realm, 'id'>,
  id: ChannelId,
): Promise<void> {
  // The realm may be about to point to the channel.
  await queries.lock(tx, realm.id);
  if (moderationRequests(await queries.byId(tx, realm.id)) === id) throw mustBePrivate();
}

/** Ends the messages of the realm to a channel, such as announcements, because it is archived. */
export async function unpointChannel(
  app: App,
  { db, emit }: Pick<Change<'realm'>, 'db' | 'emit'>,
  { realm, id }: { readonly realm: Pick<Realm, 'id'>; readonly id: ChannelId },
): Promise<void> {
  await queries.lock(db, realm.id);
  const current = await queries.byId(db, realm.id);
  const ended = pointers.filter((name) => current.settings[name] === id);
  if (ended.length === 0) return;
  const changes = Object.fromEntries(ended.map((name) => [name, -1]));
  await queries.storeSettings(db, current, changes);
  const audience = await users.activeIds(db, realm.id);
  for (const property of ended)
    emit({ type: 'realm', op: 'update', property, value: -1 }, audience);
  app.realms.changed(db);
}

async function channelAt(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  id: ChannelId | -1 | undefined,
) {
  if (id === undefined || id === -1) return undefined;
  const rows = await byIds(db, realm.id, [id]);
  const [channel] = await viewedChannels(db, { realm, viewer: user }, rows);
  if (!channel?.access.seesMetadata || channel.row.is_archived)
    throw badRequest('Invalid channel ID');
  return channel;
}
