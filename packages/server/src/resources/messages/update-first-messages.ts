import type { ChannelId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import { renewFirstMessages } from '../channels/first-message.ts';

/** Updates `first_message_id` of channels that lost or gained messages, with an event if it changes. */
export async function updateFirstMessages(
  change: Pick<Change<'stream'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  ids: readonly ChannelId[],
): Promise<void> {
  const updated = await renewFirstMessages(change.db, realm.id, ids);
  if (updated.length === 0) return;
  const viewers = await channelRows.viewersOf(
    change.db,
    realm.id,
    updated.map(({ id }) => id),
  );
  for (const { id, name, first_message_id } of updated)
    change.emit(
      {
        type: 'stream',
        op: 'update',
        stream_id: id,
        name,
        property: 'first_message_id',
        value: first_message_id,
      },
      viewers.get(id) ?? [],
    );
}
