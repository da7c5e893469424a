import { badRequest, characterCount, MAX_ALERT_WORD_LENGTH } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/alert-words/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';

const handlers: Handlers<'alertWords'> = {
  list: async ({ user, db }) => ({ alert_words: await queries.ofUser(db, user) }),

  async add({ user, params, db, emit }) {
    await users.lock(db, user);
    await queries.add(db, user, cleaned(params.alert_words));
    await requireRoom(db, 'alert_word', { realm_id: user.realm_id, user_id: user.id });
    return emitWords({ db, emit }, user);
  },

  async remove({ user, params, db, emit }) {
    await users.lock(db, user);
    await queries.remove(db, user, cleaned(params.alert_words));
    return emitWords({ db, emit }, user);
  },
};

/** The words without outer spaces and empty ones. Throws BAD_REQUEST for a long word. */
function cleaned(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  if (trimmed.some((word) => characterCount(word) > MAX_ALERT_WORD_LENGTH))
    throw badRequest(`An alert word has at most ${MAX_ALERT_WORD_LENGTH} characters.`);
  return trimmed;
}

async function emitWords(
  { db, emit }: Pick<Change<'alert_words'>, 'db' | 'emit'>,
  user: User,
): Promise<{ alert_words: string[] }> {
  const alert_words = await queries.ofUser(db, user);
  emit({ type: 'alert_words', alert_words }, [user.id]);
  return { alert_words };
}

export const alertWords: Resource<'alertWords'> = {
  handlers,
  state: { alert_words: async ({ db, user }) => ({ alert_words: await queries.ofUser(db, user) }) },
};
