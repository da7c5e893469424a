import {
  type Api,
  badRequest,
  characterCount,
  MAX_STATUS_LENGTH,
  type ParamsOf,
  type UserStatus,
} from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { findEmoji, requireUsableEmoji } from '../../model/reactions/emoji.ts';
import * as queries from '../../model/user-status/queries.ts';

type StatusRequest = ParamsOf<Api['userStatus']['set']>;

/** Changes the status of a user and emits it. Throws BAD_REQUEST. */
export async function changeStatus(
  { db, emit }: Pick<Change<'user_status'>, 'db' | 'emit'>,
  { realm, user }: { realm: Realm; user: User },
  request: StatusRequest,
): Promise<void> {
  const changes = await changesOf(db, realm, request);
  await queries.upsert(db, user, changes);
  emit({ type: 'user_status', user_id: user.id, ...changes }, EVERYBODY);
}

/** The changed fields. Throws BAD_REQUEST if there is none, for a long text or a wrong emoji. */
async function changesOf(
  db: Db,
  realm: Realm,
  { away, status_text, ...emoji }: StatusRequest,
): Promise<UserStatus> {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  if (away === undefined && status_text === undefined && emoji_name === undefined) {
    if (emoji_code !== undefined || reaction_type !== undefined)
      throw badRequest(
        'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
      );
    throw badRequest('Client did not pass any new values.');
  }
  const text = status_text?.trim();
  if (text !== undefined && characterCount(text) > MAX_STATUS_LENGTH)
    throw badRequest(`status_text is too long (limit: ${MAX_STATUS_LENGTH} characters)`);
  return {
    ...(away === undefined ? {} : { away }),
    ...(text === undefined ? {} : { status_text: text }),
    ...(await emojiChanges(db, realm, emoji)),
  };
}

async function emojiChanges(
  db: Db,
  { id }: Realm,
  emoji: Omit<StatusRequest, 'away' | 'status_text'>,
): Promise<UserStatus> {
  const { emoji_name } = emoji;
  if (emoji_name === undefined) return {};
  if (emoji_name === '') return { emoji_name, emoji_code: '', reaction_type: 'unicode_emoji' };
  const found = await findEmoji(db, id, emoji);
  await requireUsableEmoji(db, id, { name: emoji_name, emoji: found });
  return { emoji_name, ...found };
}
