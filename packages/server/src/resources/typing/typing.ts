import { badRequest } from '@bellhop/protocol';

import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { postableChannel, requireCanPost } from '../../model/channels/postable-channel.ts';
import { someSubscribers } from '../../model/channels/subscribe/subscribers.ts';
import { MAX_TYPING_SUBSCRIBERS, requireSends } from '../../model/typing/access.ts';
import { visibleByIds } from '../../model/users/access.ts';
import * as queries from '../../model/users/queries.ts';
import { apiEmail } from '../../model/users/user-record.ts';
import { presentEditTyping, presentTyping } from './present-typing.ts';
import { sendEditTyping } from './send-edit-typing.ts';

const handlers: Handlers<'typing'> = {
  async send({ user, realm, params, db, emit }) {
    const { type, op, to, stream_id, topic } = params;
    const typist = (one: User) => ({ user_id: one.id, email: apiEmail(one, realm) });
    const sender = typist(user);
    if (type === 'channel') {
      if (stream_id === undefined) throw badRequest('Missing channel ID');
      if (topic === undefined) throw badRequest('Missing topic');
      requireSends('send_stream_typing_notifications', { user, realm });
      const place = { id: stream_id };
      const channel = await requireCanPost(
        db,
        { sender: user, place, missing: badRequest('Invalid channel ID') },
        await postableChannel(db, user, place),
      );
      const upTo = MAX_TYPING_SUBSCRIBERS + 1;
      const subscribers = await someSubscribers(db, realm.id, { channel_id: channel.id, upTo });
      if (subscribers.length === upTo) return {};
      const audience = subscribers.filter((id) => id !== user.id);
      const receivers = await queries.receivingTyping(db, realm.id, audience);
      emit({ type: 'typing', op, message_type: 'stream', sender, stream_id, topic }, receivers);
      return {};
    }
    if (to === undefined || to.length === 0)
      throw badRequest("Missing parameter: 'to' (recipient)");
    requireSends('send_private_typing_notifications', { user, realm });
    const found = await visibleByIds(db, { realm, viewer: user }, [...new Set([...to, user.id])]);
    const unknown = to.find((id) => !found.some((other) => other.id === id && other.is_active));
    if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
    const ids = found.map(({ id }) => id);
    const receivers = await queries.receivingTyping(db, realm.id, ids);
    const recipients = found.map(typist);
    emit({ type: 'typing', op, message_type: 'direct', sender, recipients }, receivers);
    return {};
  },

  edit: sendEditTyping,
  editByBody: sendEditTyping,
};

export const typing: Resource<'typing'> = {
  handlers,
  presenters: () => ({ typing: presentTyping, typing_edit_message: presentEditTyping }),
};
