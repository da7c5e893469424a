import type { ChannelId, MessageId, RealmId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import { viewersOf } from './channel-rows.ts';

interface ChannelBeginning {
  readonly id: ChannelId;
  readonly name: string;
  readonly message_id: MessageId;
}

/** Tells those who see a channel with which message it begins: not all of them receive the message. */
export async function emitFirstMessage(
  { db, emit }: Pick<Change<'stream'>, 'db' | 'emit'>,
  realm: RealmId,
  { id, name, message_id }: ChannelBeginning,
): Promise<void> {
  const viewers = await viewersOf(db, realm, [id]);
  emit(
    {
      type: 'stream',
      op: 'update',
      stream_id: id,
      name,
      property: 'first_message_id',
      value: message_id,
    },
    viewers.get(id) ?? [],
  );
}
