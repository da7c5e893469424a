import { isShownMention, type MessageId, type UnreadDetails } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import type { Range } from '../../../model/messages/fetch/fetch-page.ts';
import type { CompiledNarrow } from '../../../model/messages/fetch/narrow/compile-narrow.ts';
import {
  addHistorical,
  changeFlag,
  conversationsOf,
  type FlagChange,
  lockMessages,
} from '../../../model/messages/flag/queries.ts';
import { advanceReadThrough } from '../../../model/messages/read/advance-read-through.ts';
import { flagNames } from '../../../model/messages/read/flags.ts';
import { requireRoom } from '../../../model/require-room.ts';
import * as users from '../../../model/users/queries.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';

interface FlagUpdate extends FlagChange {
  readonly realm: Pick<Realm, 'id' | 'has_push_devices'>;
  readonly user: User;
  readonly narrow: CompiledNarrow;
  readonly range: Range;
}

/** Changes a flag of the messages in a range and emits the change to the user's clients. */
export async function updateFlags(
  change: Pick<Change<'update_message_flags'>, 'db' | 'emit' | 'nowMs' | 'afterEvents'>,
  { realm, user, op, flag, ...selection }: FlagUpdate,
) {
  const { db, emit } = change;
  if (flag === 'read' && op === 'remove') await lockMessages(db, user, selection);
  // One after the other: they may change the same rows, and lock them in another order.
  await users.lock(db, user);
  const page = await changeFlag(db, user, { op, flag, ...selection });
  const ids = page.unreceived;
  const added = ids.length > 0 ? await addHistorical(db, user, { ids, op, flag }) : [];
  const messages = [...page.changed, ...page.unwritten, ...added].toSorted((a, b) => a - b);
  if (messages.length > 0) {
    if (flag === 'starred' && op === 'add')
      await requireRoom(db, 'user_message', { realm_id: realm.id, user_id: user.id });
    const details =
      flag === 'read' && op === 'remove'
        ? { message_details: await unreadDetails({ db }, user, messages) }
        : {};
    if (flag === 'read' && op === 'add') {
      await withdrawPushes(change, realm, { messages, users: [user.id] });
      advanceReadThrough(change, user, { read: messages, unwritten: page.unwritten });
    }
    emit(
      { type: 'update_message_flags', op, operation: op, flag, messages, all: false, ...details },
      [user.id],
    );
  }
  return { ...page, updated: messages.length };
}

async function unreadDetails(
  { db }: Pick<Change, 'db'>,
  user: User,
  ids: readonly MessageId[],
): Promise<Record<string, UnreadDetails>> {
  const rows = await conversationsOf(db, user, ids);
  return Object.fromEntries(
    rows.map(({ id, channel_id, topic, flags, is_muted, user_ids }) => {
      const isMention = isShownMention(flagNames(flags), channel_id !== null && is_muted);
      const mentioned = isMention ? { mentioned: true as const } : {};
      const details: UnreadDetails =
        channel_id === null
          ? {
              type: 'private',
              user_ids: (user_ids ?? []).filter((other) => other !== user.id),
              ...mentioned,
            }
          : {
              type: 'stream',
              stream_id: channel_id,
              topic,
              unmuted_stream_msg: !is_muted,
              ...mentioned,
            };
      return [id, details];
    }),
  );
}
