import { badRequest, type Reaction } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { changeableMessage } from '../messages/changeable-message.ts';
import { messageAudience } from '../messages/read/message-audience.ts';
import { addToHistory } from '../messages/read/recipient-flags.ts';
import { apiEmail } from '../users/user-record.ts';
import { checkEmoji, emojiOf, exists } from './emoji.ts';
import * as queries from './queries.ts';

const handlers: Handlers<'reactions'> = {
  async add({ user, realm, params, db, emit, fail }) {
    const message = await changeableMessage(db, { realm, user }, params.message_id);
    const where = { realm_id: realm.id, message_id: message.id };
    const emoji = emojiOf(params);
    const inUse = await queries.nameInUse(db, where, emoji);
    if (inUse === undefined) checkEmoji(params.emoji_name, emoji);
    const reaction = { emoji_name: inUse ?? params.emoji_name, ...emoji, user_id: user.id };
    if (!(await queries.insert(db, where, reaction))) fail('REACTION_ALREADY_EXISTS');
    await addToHistory(db, realm.id, { user_id: user.id, message_id: message.id });
    const { audience } = await messageAudience(db, realm, { ...message, user });
    emit(
      { ...reactionEvent(reaction, { user, realm }), op: 'add', message_id: message.id },
      audience,
    );
    return {};
  },

  async remove({ user, realm, params, db, emit, fail }) {
    const message = await changeableMessage(db, { realm, user }, params.message_id);
    const emoji = emojiOf(params);
    const where = { realm_id: realm.id, message_id: message.id };
    const reaction = await queries.remove(db, where, { ...emoji, user_id: user.id });
    // A reaction with an emoji that no longer exists can be removed, so the emoji is checked last.
    if (!reaction && !exists(emoji)) throw badRequest('Invalid emoji code');
    if (!reaction) return fail('REACTION_DOES_NOT_EXIST');
    const { audience } = await messageAudience(db, realm, { ...message, user });
    emit(
      { ...reactionEvent(reaction, { user, realm }), op: 'remove', message_id: message.id },
      audience,
    );
    return {};
  },
};

export const reactions: Resource<'reactions'> = { handlers };

const reactionEvent = (reaction: Reaction, { user, realm }: { user: User; realm: Realm }) => ({
  type: 'reaction' as const,
  ...reaction,
  user: { user_id: user.id, email: apiEmail(user, realm), full_name: user.full_name },
});
