import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import { isWholeWord } from '../../alert-words/find-alerted.ts';
import * as alertWords from '../../alert-words/queries.ts';
import * as mutedUsers from '../../muted-users/queries.ts';
import type { SendRequest } from '../message.ts';
import { flagBits } from '../read/flags.ts';

/** Flags that a message gets for single users, if they receive it. */
export type PersonalFlags = ReadonlyMap<UserId, number>;

interface FoundFlag {
  readonly at: number;
  readonly user_id: UserId;
  /** Null for a muted sender. */
  readonly word: string | null;
}

/**
 * The flags that depend on settings of single users, for messages of one realm in their order:
 * `has_alert_word`, and `read` for users who have muted the sender. One statement.
 */
export async function personalFlags(
  db: Db,
  realm: RealmId,
  requests: readonly Pick<SendRequest, 'sender' | 'content'>[],
): Promise<PersonalFlags[]> {
  const contents = requests.map(({ content }) => content);
  const senders = requests.map(({ sender }) => sender.id);
  const { rows } = await sql<FoundFlag>`${alertWords.within(realm, contents)} union all
    select m.*, null from (${mutedUsers.mutingEach(realm, senders)}) m`.execute(db);
  const flags = requests.map(() => new Map<UserId, number>());
  for (const { at, user_id, word } of rows) {
    if (word !== null && !isWholeWord(contents[at] ?? '', word)) continue;
    const bit = word === null ? flagBits.read : flagBits.has_alert_word;
    flags[at]?.set(user_id, (flags[at].get(user_id) ?? 0) | bit);
  }
  return flags;
}
