import { badRequest, type MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Handlers } from '../../../engine/resource.ts';
import { requireVisibleChannel } from '../../../model/channels/channels-with-access.ts';
import { requireContentAccess } from '../../../model/channels/update/update-access.ts';
import { lockTopicPage } from '../../../model/messages/delete/queries.ts';
import { moveAudience } from '../../../model/messages/move/move-audience.ts';
import { deleteBatch } from './delete-batch.ts';

const BATCH_SIZE = 1000;
/**
 * The time limit of one request, in seconds. Clients repeat the request until the response is
 * `complete`.
 */
const MAX_SECONDS = 50;

/**
 * Deletes the messages of a topic that the user may read, newest first, each batch in a transaction
 * of its own. For members of `can_delete_any_message_group` of the realm or the channel.
 */
export const deleteTopic: Handlers<'channels'>['deleteTopic'] = async (call) => {
  const { user, realm, params, app, db } = call;
  const { stream_id, topic_name: topic } = params;
  const channel = await requireVisibleChannel(db, user, stream_id);
  requireContentAccess(channel);
  if (!channel.access.deletesAny) throw badRequest('Insufficient permission');
  if (channel.row.is_archived)
    throw badRequest('Messages of an archived channel cannot be changed.');
  const history = channel.access.readsHistory;
  const isLate = deadline(app.now);
  for (;;) {
    const deleted = await call.change(async (change: Change<DeletionEvents>) => {
      const page = { channel: stream_id, topic, history, limit: BATCH_SIZE };
      const ids: MessageId[] = await lockTopicPage(change.db, user, page);
      if (ids.length === 0) return 0;
      const at = { channel: channel.row };
      const { follow } = await moveAudience(change.db, realm, {
        user,
        move: { from: at, to: at },
        ids,
      });
      await deleteBatch(change, { realm, ids, channels: [stream_id], now: app.now() });
      for (const group of follow)
        change.emit(
          {
            type: 'delete_message',
            message_ids: [...group.ids],
            message_type: 'stream',
            stream_id,
            topic,
          },
          group.users,
        );
      return ids.length;
    });
    if (deleted < BATCH_SIZE) return { complete: true };
    if (isLate()) return { complete: false };
  }
};

type DeletionEvents = 'delete_message' | 'stream' | 'attachment';

function deadline(now: () => number): () => boolean {
  const end = now() + MAX_SECONDS;
  return () => now() >= end;
}
