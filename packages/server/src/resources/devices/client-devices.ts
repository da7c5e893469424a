import { badRequest, type ClientDevice, type RealmId, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import * as clientDevices from '../../model/devices/client-devices.ts';
import { MAX_CLIENT_DEVICES } from '../../model/list-limits.ts';
import { requireRoom } from '../../model/require-room.ts';
import { type DeviceCapabilities, withoutMessage } from './push-devices-of.ts';
import { enqueueRemovals } from './remove-from-bouncer.ts';
import { requireSameLogin } from './require-same-login.ts';

export type ClientDeviceChange = Pick<Change<'device'>, 'db' | 'emit'>;
type Owner = Pick<User, 'id' | 'realm_id'>;

/**
 * Adds a device without key and token. Beyond the limit it replaces one that is not used any more; throws
 * BAD_REQUEST if there is none.
 */
export const registerClientDevice: Handlers<'devices'>['registerClientDevice'] = async ({
  app,
  before,
  user,
  db,
  emit,
}) => {
  requireSameLogin(before.user, user);
  const device_id = await clientDevices.add(db, user);
  const unused = await clientDevices.removeUnused(db, user, {
    max: MAX_CLIENT_DEVICES,
    except: device_id,
    now: app.now(),
  });
  if (unused !== undefined) emitRemoved(emit, user.id, unused);
  await requireRoom(db, 'client_device', { realm_id: user.realm_id, user_id: user.id });
  emit({ type: 'device', op: 'add', device_id }, [user.id]);
  return { device_id };
};

export const removeClientDevice: Handlers<'devices'>['removeClientDevice'] = async ({
  user,
  params: { device_id },
  db,
  emit,
}) => {
  if (!(await removeOfUser({ db, emit }, user, device_id))) throw noSuchDevice(device_id);
  return {};
};

/** Says that the user has no such device, and what to do. */
export const unknownDevice = (device_id: number): string =>
  `Invalid device_id: you have no device ${device_id}. POST /register_client_device adds one.`;

export const noSuchDevice = (device_id: number) =>
  badRequest(unknownDevice(device_id), { var_name: 'device_id' });

/** Removes the devices of a user, only `device_id` if given. False if there is none. */
export async function removeOfUser(
  { db, emit }: ClientDeviceChange,
  { id, realm_id }: Owner,
  device_id?: number,
): Promise<boolean> {
  const removed = await clientDevices.remove(db, { id, realm_id }, device_id);
  for (const device of removed) emitRemoved(emit, id, device.id);
  await forget(db, realm_id, removed);
  return removed.length > 0;
}

const emitRemoved = (emit: ClientDeviceChange['emit'], user: UserId, device_id: number): void =>
  emit({ type: 'device', op: 'remove', device_id }, [user]);

/**
 * Ends tokens: nothing is sent to them any more, and the apps register again when they start. Ends no
 * token of a device that has registered again since it was read. `forgets`: the bouncer has them still.
 */
export async function endTokens(
  { db, emit }: ClientDeviceChange,
  realm: RealmId,
  devices: readonly clientDevices.EndedToken[],
  { forgets }: { readonly forgets: boolean },
): Promise<void> {
  const ended = await clientDevices.endTokens(db, realm, devices);
  for (const { id, user_id } of ended)
    emit({ type: 'device', op: 'update', device_id: id, push_token_id: null }, [user_id]);
  if (forgets) await forget(db, realm, ended);
}

const forget = (
  db: ClientDeviceChange['db'],
  realm: RealmId,
  devices: readonly Pick<clientDevices.RemovedDevice, 'bouncer_device_id'>[],
): Promise<void> =>
  enqueueRemovals(
    db,
    realm,
    devices.flatMap(({ bouncer_device_id: id }) => id ?? []),
  );

/** The `devices` of `/register`, by device_id as text. */
export async function clientDevicesOf(
  db: Db,
  user: Owner,
  capabilities: DeviceCapabilities,
): Promise<Record<string, ClientDevice>> {
  const rows = await clientDevices.ofUser(db, user);
  return Object.fromEntries(
    rows.map((row) => [
      String(row.id),
      withoutMessage(clientDevices.clientDevice(row), capabilities),
    ]),
  );
}
