import type { PushAccountId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/** The `error_message` of an ended device, by the reason for its end. */
const reasons = {
  gone: 'The push service says that the device is gone, because its app was removed or its token changed: register again',
  replaced:
    'A newer registration with the same token has replaced this one: it gets the notifications',
  unregistered: 'The device was unregistered: register again to get notifications',
} as const;
type EndReason = keyof typeof reasons;

/**
 * Ends devices: nothing is sent to them any more until the phone registers again. The clients of
 * their users get the event of a failed registration. Ends no device that has registered again
 * since it was read.
 */
export async function endDevices(
  { db, emit }: DeviceChange,
  realm: Pick<Realm, 'id'>,
  devices: readonly queries.EndedDevice[],
  reason: EndReason,
): Promise<void> {
  const failure = failureFor(reason);
  emitFailed(emit, await queries.end(db, realm.id, devices, failure), failure);
}

/** Ends a pending or active device, as `endDevices` does. False if the user has no such device. */
export async function unregisterDevice(
  { db, emit }: DeviceChange,
  user: Pick<User, 'id' | 'realm_id'>,
  account: PushAccountId,
): Promise<boolean> {
  const failure = failureFor('unregistered');
  const ended = await queries.endAccount(db, user, account, failure);
  emitFailed(emit, ended, failure);
  return ended.length > 0;
}

type DeviceChange = Pick<Change<'push_device'>, 'db' | 'emit'>;

const failureFor = (reason: EndReason): queries.DeviceFailure => ({
  error_code: 'REQUEST_EXPIRED',
  error_message: reasons[reason],
});

/** Tells the users of the devices that they are failed. */
export function emitFailed(
  emit: DeviceChange['emit'],
  devices: readonly queries.EndedAccount[],
  failure: queries.DeviceFailure,
): void {
  for (const { user_id, push_account_id } of devices)
    emit(
      {
        type: 'push_device',
        push_account_id: String(push_account_id),
        status: 'failed',
        ...failure,
      },
      [user_id],
    );
}
