import type { Channel, ChannelId, RealmId, UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { ArchivedChannelsFilter } from '../../model/channels/archived-channels-filter.ts';
import { personalSubscriptions } from '../../model/channels/subscribe/personal-subscriptions.ts';
import { formerOfChannel } from '../../model/channels/subscribe/subscription-rows.ts';

interface NewViewers {
  readonly realm: { readonly id: RealmId };
  readonly record: Channel;
  readonly subscribers: readonly UserId[];
  /** Users who see the channel now and are not subscribed to it. */
  readonly audience: readonly UserId[];
  readonly only?: ArchivedChannelsFilter;
}

/**
 * Emits a channel with its subscribers to users who did not see it before, with their settings to those
 * who were subscribed once.
 */
export async function emitVisible(
  { db, emit }: Change<'stream' | 'subscription'>,
  { realm, record, subscribers, audience, only }: NewViewers,
): Promise<void> {
  if (audience.length === 0) return;
  const filter = only === undefined ? {} : { only };
  // Clients count the subscribers by peer_add.
  const streams = [{ ...record, subscriber_count: 0 }];
  const former = await formerOfChannel(db, realm.id, record.stream_id, audience);
  const users = await personalSubscriptions(db, realm.id, former);
  emit({ type: 'stream', op: 'create', streams, ...filter }, audience, { users });
  if (subscribers.length > 0)
    emit(
      {
        type: 'subscription',
        op: 'peer_add',
        user_ids: [...subscribers],
        stream_ids: [record.stream_id],
        ...filter,
      },
      audience,
    );
}

/** Emits that channels are gone to users who no longer see them. */
export function emitInvisible(
  { emit }: Change<'stream'>,
  {
    ids,
    audience,
    only,
  }: {
    readonly ids: readonly ChannelId[];
    readonly audience: readonly UserId[];
    readonly only?: ArchivedChannelsFilter;
  },
): void {
  emit(
    {
      type: 'stream',
      op: 'delete',
      streams: ids.map((stream_id) => ({ stream_id })),
      stream_ids: [...ids],
      ...(only === undefined ? {} : { only }),
    },
    audience,
  );
}
