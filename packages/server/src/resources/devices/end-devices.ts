import type { PushAccountId, RealmId } from '@bellhop/protocol';

import type { Change, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { ActiveDevice } from '../../model/devices/active-devices.ts';
import * as clientDevices from '../../model/devices/client-devices.ts';
import * as queries from '../../model/devices/queries.ts';
import { endTokens, removeOfUser } from './client-devices.ts';
import { enqueueRemovals } from './remove-from-bouncer.ts';

/** The `error_message` of an ended device, by the reason for its end. */
const reasons = {
  gone: 'The push service says that the device is gone, because its app was removed or its token changed: register again',
  unknown:
    'The push bouncer no longer has the device: its operator may have deleted it: register again',
  refused:
    'The push service says that the registration belongs to another app or key: register again',
  replaced:
    'A newer registration with the same token has replaced this one: it gets the notifications',
  unregistered: 'The device was unregistered: register again to get notifications',
  logged_out:
    'The API key or the address of the account has changed: log in and register again to get notifications',
} as const;
export type EndReason = keyof typeof reasons;

/**
 * Ends devices: nothing is sent to them any more until the phone registers again. The clients of
 * their users get the event of a failed registration. Ends no device that has registered again
 * since it was read.
 */
export async function endDevices(
  { db, emit }: AccountChange,
  realm: Pick<Realm, 'id'>,
  devices: readonly queries.EndedDevice[],
  reason: EndReason,
): Promise<void> {
  const failure = failureFor(reason);
  const ended = await queries.end(db, realm.id, devices, failure);
  emitFailed(emit, ended, failure);
  if (mustForget(reason)) await forget(db, realm.id, ended);
}

/** Ends the devices that the bouncer says must end, as `endDevices` and `endTokens` do. */
export async function endReported(
  change: DeviceChange,
  realm: Pick<Realm, 'id'>,
  ends: readonly { readonly device: ActiveDevice; readonly reason: EndReason }[],
): Promise<void> {
  for (const [reason, some] of Map.groupBy(ends, (end) => end.reason)) {
    const devices = some.map(({ device }) => device);
    const accounts = devices.filter((device) => device.form === 'account');
    const tokens = devices.filter((device) => device.form === 'token');
    await endDevices(change, realm, accounts, reason);
    await endTokens(change, realm.id, tokens, { forgets: mustForget(reason) });
  }
}

/** Whether the bouncer has to be told; of the others it said so itself. */
const mustForget = (reason: EndReason): boolean => reason !== 'gone' && reason !== 'unknown';

/** Ends a pending or active device, as `endDevices` does. False if the user has no such device. */
export const unregisterDevice = (
  change: AccountChange,
  user: Owner,
  account: PushAccountId,
): Promise<boolean> => endOfUser(change, user, { reason: 'unregistered', account });

/**
 * Ends the devices of a person whose API key or address has changed: nobody can log in as their apps
 * did, and the person may have changed it because a phone was lost.
 */
export async function endDevicesOfLogins(change: DeviceChange, user: Owner): Promise<void> {
  await endOfUser(change, user, { reason: 'logged_out' });
  await removeOfUser(change, user);
}

/** Removes the devices of a deactivated user, whose apps log in anew after a reactivation. */
export async function removeDevicesOfUser(tx: Tx, { id, realm_id }: Owner): Promise<void> {
  const removed = await clientDevices.remove(tx, { id, realm_id });
  const ids = removed.flatMap(({ bouncer_device_id }) => bouncer_device_id ?? []);
  await enqueueRemovals(tx, realm_id, [...(await queries.removeAll(tx, realm_id, id)), ...ids]);
}

/**
 * Ends the devices of a deactivated realm. Its API keys stay, and an app never asks for another device_id as
 * long as its key is good: those devices lose only their tokens, which the apps register again when they
 * start after a reactivation.
 */
export async function endDevicesOfRealm(tx: Tx, realm: RealmId): Promise<void> {
  const ids = await clientDevices.endAllTokens(tx, realm);
  await enqueueRemovals(tx, realm, [...(await queries.removeAll(tx, realm)), ...ids]);
}

async function endOfUser(
  { db, emit }: AccountChange,
  user: Owner,
  { reason, account }: { readonly reason: EndReason; readonly account?: PushAccountId },
): Promise<boolean> {
  const failure = failureFor(reason);
  const ended = await queries.endOfUser(db, user, failure, account);
  emitFailed(emit, ended, failure);
  await forget(db, user.realm_id, ended);
  return ended.length > 0;
}

const forget = (tx: Tx, realm: RealmId, ended: readonly queries.EndedAccount[]): Promise<void> =>
  enqueueRemovals(
    tx,
    realm,
    ended.flatMap(({ bouncer_device_id: id }) => id ?? []),
  );

type Owner = Pick<User, 'id' | 'realm_id'>;
type AccountChange = Pick<Change<'push_device'>, 'db' | 'emit'>;
export type DeviceChange = Pick<Change<'push_device' | 'device'>, 'db' | 'emit'>;

const failureFor = (reason: EndReason): queries.DeviceFailure => ({
  error_code: 'REQUEST_EXPIRED',
  error_message: reasons[reason],
});

/** Tells the users of the devices that they are failed. */
export function emitFailed(
  emit: AccountChange['emit'],
  devices: readonly Pick<queries.EndedAccount, 'user_id' | 'push_account_id'>[],
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
