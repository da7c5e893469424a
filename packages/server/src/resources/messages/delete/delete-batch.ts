import type { ChannelId, MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { deleteMessages } from '../../../model/messages/delete/queries.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';
import { detachUploads } from '../attach-uploads.ts';
import { updateFirstMessages } from '../update-first-messages.ts';

interface DeletedBatch {
  readonly realm: Pick<Realm, 'id' | 'has_push_devices'>;
  readonly ids: readonly MessageId[];
  /** The channels of the messages. */
  readonly channels: readonly ChannelId[];
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Deletes messages, removes them from phones, detaches their files and finds the first messages of their
 * channels again. Emits the changed files and channels, and no `delete_message`.
 */
export async function deleteBatch(
  change: Pick<Change<'stream' | 'attachment'>, 'db' | 'emit' | 'nowMs'>,
  { realm, ids, channels, now }: DeletedBatch,
): Promise<void> {
  await detachUploads(change, { realm, messages: ids, now });
  await deleteMessages(change.db, realm.id, ids);
  await withdrawPushes(change, realm, { messages: ids });
  await updateFirstMessages(change, realm, channels);
}
