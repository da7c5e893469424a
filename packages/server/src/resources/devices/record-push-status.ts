import type { RealmId, RealmPushStatus } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import * as queries from '../../model/realms/queries.ts';

/** Stores the push status that the bouncer reported for a realm, and sends each change to all users. */
export async function recordPushStatus(
  { db, emit }: Pick<Change<'realm'>, 'db' | 'emit'>,
  { id, can_push, expected_end_timestamp: end }: { id: RealmId } & RealmPushStatus,
): Promise<void> {
  const before = await queries.exchangePushStatus(db, id, { can_push, end });
  if (before === undefined) return;
  const update = { type: 'realm', op: 'update' } as const;
  if (before.can_push !== can_push)
    emit({ ...update, property: 'push_notifications_enabled', value: can_push }, EVERYBODY);
  if (before.end !== end)
    emit(
      { ...update, property: 'push_notifications_enabled_end_timestamp', value: end },
      EVERYBODY,
    );
}
