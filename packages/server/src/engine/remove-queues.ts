import type { RealmId } from '@bellhop/protocol';

import type { Tx } from './call.ts';
import { POLLS_CHANNEL } from './event-queues.ts';

/** Deletes all event queues of a realm in this transaction, and ends their polls after the commit. */
export async function removeQueuesOfRealm(tx: Tx, realm_id: RealmId): Promise<void> {
  await tx.deleteFrom('event_queue').where('realm_id', '=', realm_id).execute();
  // Every node looks which of its polls have lost their queues.
  tx.notify(POLLS_CHANNEL, '');
}
