import type { RealmId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import { viewersOf } from '../../model/channels/channel-rows.ts';
import type { ChannelStart } from '../../model/channels/first-message.ts';

/** Tells those who see channels with which message each begins: not all of them receive the message. */
export async function emitFirstMessages(
  { db, emit }: Pick<Change<'stream'>, 'db' | 'emit'>,
  realm: RealmId,
  channels: readonly ChannelStart[],
): Promise<void> {
  const ids = channels.map(({ id }) => id);
  const viewers = await viewersOf(db, realm, ids);
  for (const { id, name, first_message_id } of channels)
    emit(
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
