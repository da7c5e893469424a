import type { PushAccountId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/**
 * Ends devices: nothing is sent to them any more until the phone registers again. The clients of
 * their users get the event of a failed registration. Ends no device that has registered again
 * since it was read.
 */
export async function endDevices(
  { db, emit }: DeviceChange,
  realm: Pick<Realm, 'id'>,
  devices: readonly queries.EndedDevice[],
): Promise<void> {
  emitEnded(emit, await queries.end(db, realm.id, devices));
}

/** Ends a pending or active device, as `endDevices` does. False if the user has no such device. */
export async function unregisterDevice(
  { db, emit }: DeviceChange,
  user: Pick<User, 'id' | 'realm_id'>,
  account: PushAccountId,
): Promise<boolean> {
  const ended = await queries.endAccount(db, user, account);
  emitEnded(emit, ended);
  return ended.length > 0;
}

type DeviceChange = Pick<Change<'push_device'>, 'db' | 'emit'>;

function emitEnded(emit: DeviceChange['emit'], ended: readonly queries.EndedAccount[]): void {
  for (const { user_id, push_account_id } of ended)
    emit(
      {
        type: 'push_device',
        push_account_id: String(push_account_id),
        status: 'failed',
        error_code: 'REQUEST_EXPIRED',
      },
      [user_id],
    );
}
