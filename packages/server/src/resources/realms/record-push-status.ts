import type { RealmId, RealmPushStatus } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import * as queries from './queries.ts';

/** Keeps what the bouncer said of a realm; from the commit on this node sees it. */
export async function recordPushStatus(
  { realms }: Pick<App, 'realms'>,
  tx: Tx,
  { id, can_push, expected_end_timestamp }: { id: RealmId } & RealmPushStatus,
): Promise<void> {
  if (await queries.setPushStatus(tx, id, { can_push, end: expected_end_timestamp }))
    tx.afterCommit(() => realms.forget());
}
