import { enqueueAll } from '@bellhop/jobs';
import type { RealmId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import {
  MAX_USERS_PER_JOB,
  pushRemoval,
} from '../../../model/devices/message-push/message-push-jobs.ts';
import * as queries from '../../../model/devices/message-push/queries.ts';

type PushChange = Pick<Change, 'db' | 'nowMs'>;

/**
 * Removes messages from the phones of users who have read them, or may no longer read them. Call it after
 * the flags are changed or the messages are gone. No query in a realm without push devices.
 */
export async function withdrawPushes(
  change: PushChange,
  realm: Pick<Realm, 'id' | 'has_push_devices'>,
  read: queries.ReadMessages,
): Promise<void> {
  if (!realm.has_push_devices || read.messages.length === 0) return;
  const outdated = await queries.takeOutdated(change.db, realm.id, read);
  await removePushes(change, realm.id, outdated);
}

/** Removes messages from the phones of their users. */
export async function removePushes(
  { db, nowMs }: PushChange,
  realm_id: RealmId,
  outdated: readonly queries.OutdatedPush[],
): Promise<void> {
  const byUser = [...Map.groupBy(outdated, ({ user_id }) => user_id)].map(([user_id, pushes]) => ({
    user_id,
    message_ids: pushes.map(({ message_id }) => message_id),
  }));
  const jobs = [];
  const event_ms = nowMs();
  for (let at = 0; at < byUser.length; at += MAX_USERS_PER_JOB)
    jobs.push({
      payload: { realm_id, removed: byUser.slice(at, at + MAX_USERS_PER_JOB), event_ms },
    });
  await enqueueAll(db, pushRemoval, jobs);
}
