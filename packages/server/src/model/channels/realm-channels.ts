import { badRequest, type ChannelId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { moderationRequests } from '../realms/realm-settings.ts';
import { isPublic } from './access.ts';
import { byIds } from './channel-rows.ts';
import { channelsWithAccess } from './channels-with-access.ts';

const announcements = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const;
/** The settings of a realm that name a channel for messages of the realm. */
export const realmChannelSettings = [...announcements, 'moderation_request_channel_id'] as const;
type RealmChannels = {
  readonly [N in (typeof realmChannelSettings)[number]]?: ChannelId | -1 | undefined;
};

/**
 * Throws BAD_REQUEST unless the caller sees each channel to which the realm's messages are to go, and
 * the one for reports is private.
 */
export async function requireRealmChannels(
  db: Db,
  user: User,
  requested: RealmChannels,
): Promise<void> {
  for (const name of announcements) await channelAt(db, user, requested[name]);
  const channel = await channelAt(db, user, requested.moderation_request_channel_id);
  if (channel && isPublic(channel.row)) throw mustBePrivate();
}

const mustBePrivate = () => badRequest('Moderation request channel must be private.');

/** Throws BAD_REQUEST if messages are reported to this channel: it may not become public. */
export function requireNoReports(realm: Realm, id: ChannelId): void {
  if (moderationRequests(realm) === id) throw mustBePrivate();
}

async function channelAt(db: Db, user: User, id: ChannelId | -1 | undefined) {
  if (id === undefined || id === -1) return undefined;
  const rows = await byIds(db, user.realm_id, [id]);
  const [channel] = await channelsWithAccess(db, user, rows);
  if (!channel?.access.seesMetadata || channel.row.is_archived)
    throw badRequest('Invalid channel ID');
  return channel;
}
