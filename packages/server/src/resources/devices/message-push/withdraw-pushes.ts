import { enqueueAll } from '@bellhop/jobs';

import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { MAX_USERS_PER_JOB, pushRemoval } from './message-push-jobs.ts';
import * as queries from './queries.ts';

/**
 * Removes messages from the phones of users who have read them, or may no longer read them. Call it after
 * the flags are changed or the messages are gone. No query in a realm without push devices.
 */
export async function withdrawPushes(
  db: Tx,
  realm: Pick<Realm, 'id' | 'has_push_devices'>,
  read: queries.ReadMessages,
): Promise<void> {
  if (!realm.has_push_devices || read.messages.length === 0) return;
  const outdated = await queries.takeOutdated(db, realm.id, read);
  const isSent = Map.groupBy(outdated, ({ is_sent }) => is_sent);
  await enqueueAll(db, pushRemoval, [
    ...removals(realm, isSent.get(true) ?? []),
    ...removals(realm, isSent.get(false) ?? []),
  ]);
}

/** One kind of pushes: all of them are sent, or none. */
function removals({ id: realm_id }: Pick<Realm, 'id'>, outdated: readonly queries.OutdatedPush[]) {
  const byUser = [...Map.groupBy(outdated, ({ user_id }) => user_id)].map(([user_id, pushes]) => ({
    user_id,
    message_ids: pushes.map(({ message_id }) => message_id),
  }));
  const runAt = outdated[0]?.arrived_at;
  const jobs = [];
  for (let at = 0; at < byUser.length; at += MAX_USERS_PER_JOB)
    jobs.push({
      payload: { realm_id, removed: byUser.slice(at, at + MAX_USERS_PER_JOB) },
      ...(runAt ? { runAt } : {}),
    });
  return jobs;
}
