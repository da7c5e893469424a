import type { Handlers } from '../../../engine/resource.ts';
import { detachUploads } from '../../uploads/attach-uploads.ts';
import { changeableMessage } from '../changeable-message.ts';
import { deleteForGood } from '../edit/edit-queries.ts';
import { messageAudience } from '../read/message-audience.ts';
import { tellFirstMessages } from '../tell-first-messages.ts';
import { requireMayDelete } from './delete-access.ts';

/** A deleted message is gone: nothing of it is kept. */
export const deleteMessage: Handlers<'messages'>['remove'] = async (call) => {
  const { user, realm, params, app, ...change } = call;
  const { message_id: id } = params;
  const { db } = change;
  const target = await changeableMessage(db, { realm, user }, id);
  await requireMayDelete(db, { realm, user, now: app.now() }, target);
  const { channel, topic } = target;
  const { audience } = await messageAudience(db, realm, { id, channel, user });
  await detachUploads(change, { realm, messages: [id], now: app.now() });
  await deleteForGood(db, realm.id, [id]);
  if (channel) await tellFirstMessages(change, realm, [channel.id]);
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
