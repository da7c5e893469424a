import { badRequest, type Reaction } from '@bellhop/protocol';

import type { Actor } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { changeableMessage } from '../../model/messages/changeable-message.ts';
import { messageAudience } from '../../model/messages/read/message-audience.ts';
import { addToHistory } from '../../model/messages/read/recipient-flags.ts';
import {
  exists,
  findEmoji,
  findOwnEmoji,
  requireUsableEmoji,
} from '../../model/reactions/emoji.ts';
import * as queries from '../../model/reactions/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { apiEmail } from '../../model/users/user-record.ts';
import { followParticipation } from '../user-topics/follow-topics.ts';
import { triggerChanges } from '../webhooks/trigger-changes.ts';

const handlers: Handlers<'reactions'> = {
  async add({ actor, user, realm, params, db, emit, enqueueAll, fail }) {
    const message = await changeableMessage(db, actor, params.message_id);
    const where = { realm_id: realm.id, message_id: message.id };
    const emoji = await findEmoji(db, realm.id, params);
    const inUse = await queries.nameInUse(db, where, emoji);
    // Others may join a reaction with an emoji that has been deactivated since.
    if (inUse === undefined)
      await requireUsableEmoji(db, realm.id, { name: params.emoji_name, emoji });
    const reaction = { emoji_name: inUse ?? params.emoji_name, ...emoji, user_id: user.id };
    if (!(await queries.insert(db, where, reaction))) fail('REACTION_ALREADY_EXISTS');
    // Everybody may join an emoji that the message has.
    await requireRoom(db, 'reaction', { ...where, user_id: user.id });
    await addToHistory(db, realm.id, { user_id: user.id, message_id: message.id });
    const { audience } = await messageAudience(db, realm, { ...message, user });
    emit({ ...reactionEvent(reaction, actor), op: 'add', message_id: message.id }, audience);
    await triggerChanges({ db, enqueueAll }, actor, {
      message_id: message.id,
      ...changeOf(reaction, 'add'),
    });
    await followParticipation({ db, emit }, actor, message);
    return {};
  },

  async remove({ actor, user, realm, params, db, emit, enqueueAll, fail }) {
    const message = await changeableMessage(db, actor, params.message_id);
    const where = { realm_id: realm.id, message_id: message.id };
    const own = await queries.ofUser(db, where, user.id);
    const emoji = await findOwnEmoji(db, realm.id, { own, request: params });
    const reaction = await queries.remove(db, where, { ...emoji, user_id: user.id });
    // A reaction with an emoji that no longer exists can be removed, so the emoji is checked last.
    if (!reaction && !(await exists(db, realm.id, { emoji, request: params })))
      throw badRequest('Invalid emoji code');
    if (!reaction) return fail('REACTION_DOES_NOT_EXIST');
    const { audience } = await messageAudience(db, realm, { ...message, user });
    emit({ ...reactionEvent(reaction, actor), op: 'remove', message_id: message.id }, audience);
    await triggerChanges({ db, enqueueAll }, actor, {
      message_id: message.id,
      ...changeOf(reaction, 'remove'),
    });
    return {};
  },
};

export const reactions: Resource<'reactions'> = { handlers };

const changeOf = ({ emoji_name, emoji_code }: Reaction, op: 'add' | 'remove') => ({
  kind: 'reaction' as const,
  details: { op, emoji_name, emoji_code },
});

const reactionEvent = (reaction: Reaction, { user, realm }: Actor) => ({
  type: 'reaction' as const,
  ...reaction,
  user: { user_id: user.id, email: apiEmail(user, realm), full_name: user.full_name },
});
