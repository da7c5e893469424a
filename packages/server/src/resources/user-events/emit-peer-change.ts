import type { LockedChange } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { filterFor } from '../../model/channels/archived-channels-filter.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import * as subscriptionRows from '../../model/channels/subscribe/subscription-rows.ts';

/**
 * Emits `peer_remove` for all subscriptions of a user who is about to be deactivated, or `peer_add`
 * for those of a user who was reactivated. Deactivation keeps the rows.
 */
export async function emitPeerChange(
  { db, emit }: Pick<LockedChange<'subscription'>, 'db' | 'emit'>,
  op: 'peer_add' | 'peer_remove',
  { id, realm_id }: User,
): Promise<void> {
  const rows = await subscriptionRows.ofUser(db, realm_id, id);
  const channels = rows.filter(({ is_active }) => is_active).map(({ channel_id }) => channel_id);
  if (channels.length === 0) return;
  const viewers = await channelRows.viewersOf(db, realm_id, channels);
  const archived = await channelRows.archivedAmong(db, realm_id, channels);
  const alike = Map.groupBy(
    channels,
    (channel) => `${archived.has(channel)} ${viewers.get(channel)?.join() ?? ''}`,
  );
  for (const stream_ids of alike.values()) {
    const [first] = stream_ids;
    if (first === undefined) continue;
    const audience = viewers.get(first) ?? [];
    const filter = filterFor(archived.has(first));
    emit(
      { type: 'subscription', op, user_ids: [id], stream_ids, ...filter },
      audience.filter((viewer) => viewer !== id),
    );
  }
}
