import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';
import * as queries from './queries.ts';

/** Marks all messages of channels as read for users, with an event to each of them. */
export async function markChannelsRead(
  { db, emit }: Pick<Change<'update_message_flags'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id' | 'has_push_devices'>,
  pairs: readonly queries.ReadChannel[],
): Promise<void> {
  const marked = await queries.markChannelsRead(db, realm.id, pairs);
  await withdrawPushes(db, realm, {
    messages: [...new Set(marked.flatMap(({ messages }) => messages))],
    users: marked.map(({ user_id }) => user_id),
  });
  for (const { user_id, messages } of marked)
    emit(
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      },
      [user_id],
    );
}
