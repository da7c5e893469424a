import { ApiError, type BouncerV1 } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { type Device, devicesAfter, removeDevice } from '../devices/queries.ts';
import { shortHash } from '../devices/token-hash.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { namesOf } from '../storage/device-name.ts';
import { register } from './register-device.ts';

/** The devices of a realm. */
export const devices: HandlersOf<BouncerV1['devices']> = {
  register: (call) => register({ ...call }),

  async list({ params: { realm_uuid, after, limit }, server, app: { database, realms } }) {
    const realm = await requireRealm(realms, server, realm_uuid);
    const found = await devicesAfter(database.kysely, realm.realm_uuid, {
      after,
      limit: limit + 1,
    });
    return { devices: found.slice(0, limit).map(storedDevice), has_more: found.length > limit };
  },

  async remove({ params: { realm_uuid, device_id }, server, app: { database, realms, log } }) {
    const realm = await requireRealm(realms, server, realm_uuid);
    const isRemoved = await database.transaction((tx) =>
      removeDevice(tx, realm.realm_uuid, device_id),
    );
    if (!isRemoved)
      throw new ApiError('NOT_FOUND', { message: 'The realm has no device with this ID' });
    log.info({ device_id }, 'device deleted');
    return {};
  },
};

const seconds = (time: Date | null) => time && Math.floor(time.getTime() / 1_000);

const storedDevice = (device: Device) => ({
  device_id: device.device_id,
  ...namesOf(device),
  token_kind: device.token_kind,
  ios_app_id: device.ios_app_id,
  android_app_id: device.android_app_id,
  token_hash: shortHash(device),
  registered_at: Math.floor(device.registered_at / 1_000),
  dead_since: seconds(device.expired_at),
  quarantined_until: seconds(device.quarantined_until),
});
