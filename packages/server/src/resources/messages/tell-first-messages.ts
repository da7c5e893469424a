import type { ChannelId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import { renewFirstMessages } from '../channels/first-message.ts';

/** Finds the first message of channels again that lost or gained some, and tells who sees them. */
export async function tellFirstMessages(
  change: Change<'stream'>,
  realm: Realm,
  ids: readonly ChannelId[],
): Promise<void> {
  const begun = await renewFirstMessages(change.db, realm.id, ids);
  if (begun.length === 0) return;
  const viewers = await channelRows.viewersOf(
    change.db,
    realm.id,
    begun.map(({ id }) => id),
  );
  for (const { id, name, first_message_id } of begun)
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
