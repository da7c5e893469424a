import type { Handlers } from '../../../engine/resource.ts';
import { changeableMessage } from '../../../model/messages/changeable-message.ts';
import { requireCanDelete } from '../../../model/messages/delete/access.ts';
import { deleteMessages } from '../../../model/messages/delete/queries.ts';
import { messageAudience } from '../../../model/messages/read/message-audience.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';
import { triggerChanges } from '../../webhooks/trigger-changes.ts';
import { detachUploads } from '../attach-uploads.ts';
import { updateFirstMessages } from '../update-first-messages.ts';

/** Deletes a message with its history; no copy of it is kept. */
export const deleteMessage: Handlers<'messages'>['remove'] = async (call) => {
  const { actor, user, realm, params, ...change } = call;
  const { message_id: id } = params;
  const { db } = change;
  const target = await changeableMessage(db, actor, id);
  await requireCanDelete(db, actor, target);
  const { channel, topic } = target;
  const { audience } = await messageAudience(db, realm, { id, channel, user });
  await triggerChanges(change, actor, { message_id: id, kind: 'delete' });
  await detachUploads(change, { realm, messages: [id], now: actor.now });
  await deleteMessages(db, realm.id, [id]);
  await withdrawPushes(change, realm, { messages: [id] });
  if (channel) await updateFirstMessages(change, realm, [channel.id]);
  change.emit(
    {
      type: 'delete_message',
      message_ids: [id],
      ...(channel
        ? { message_type: 'stream', stream_id: channel.id, topic }
        : { message_type: 'private' }),
    },
    audience,
  );
  return {};
};
