import type { RealmId } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import { removeQueuesOfRealm } from '../../engine/event-queues.ts';
import * as consoleSessions from '../../model/console-sessions/queries.ts';
import * as queries from '../../model/realms/queries.ts';
import { endDevicesOfRealm } from '../devices/end-devices.ts';
import { REALMS_CHANNEL } from './find-realms.ts';

/**
 * Deactivates a realm: its event queues, push devices and console sessions end at the commit, and within a second every
 * node answers its calls with REALM_DEACTIVATED. Its data, API keys and invitations stay for a
 * reactivation. Returns whether it was active.
 */
export async function deactivateRealm(tx: Tx, id: RealmId): Promise<boolean> {
  if (!(await queries.setActive(tx, id, false))) return false;
  await removeQueuesOfRealm(tx, id);
  await endDevicesOfRealm(tx, id);
  await consoleSessions.removeAllOfRealm(tx, id);
  tx.notify(REALMS_CHANNEL, '');
  return true;
}

/** Reactivates a realm: its users log in with the same keys. Returns whether it was deactivated. */
export async function reactivateRealm(tx: Tx, id: RealmId): Promise<boolean> {
  const hasChanged = await queries.setActive(tx, id, true);
  if (hasChanged) tx.notify(REALMS_CHANNEL, '');
  return hasChanged;
}
