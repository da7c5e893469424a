import { badRequest, type ChannelId } from '@bellhop/protocol';

import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isPublic } from '../../model/channels/access.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import { requireVisibleChannel } from '../../model/channels/channels-with-access.ts';
import { emitDefaultChannels } from './emit-default-channels.ts';

interface DefaultCall extends LockedChange<'default_streams'> {
  readonly realm: Realm;
  readonly user: User;
  readonly params: { readonly stream_id: ChannelId };
}

/**
 * Makes a channel one to which new users are subscribed, or no longer. No-op if it is already so.
 * Throws BAD_REQUEST for a private or archived channel that would become a default channel.
 */
export async function setDefault(change: DefaultCall, is_default: boolean): Promise<{}> {
  const { db, realm, user } = change;
  const { stream_id } = change.params;
  const { row } = await requireVisibleChannel(db, user, stream_id);
  if (is_default && !isPublic(row)) throw badRequest('A default channel cannot be private.');
  if (is_default && row.is_archived) throw badRequest(`Channel '${row.name}' is archived.`);
  if (row.is_default === is_default) return {};
  await channelRows.update(db, row, { is_default });
  await emitDefaultChannels(change, realm);
  return {};
}
