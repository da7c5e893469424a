import { ApiError, type Bouncer } from '@bellhop/protocol';

import type { Handler } from '../app.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { openRegistration } from './open-registration.ts';
import { saveDevice, shortHash } from './queries.ts';

/** Registers a device. A repeated registration returns the same device_id. */
export const register: Handler<Bouncer['push']['register']> = async ({ params, server, app }) => {
  const { database, metrics, log } = app;
  try {
    const realm = await requireRealm(database.kysely, server, params.realm_uuid);
    const registration = openRegistration(app.keyRing, params, app.now());
    const deviceId = await saveDevice(database.kysely, {
      realmUuid: realm.realm_uuid,
      pushAccountId: params.push_account_id,
      registration,
      registeredAt: Math.min(registration.timestamp * 1_000, app.now()),
    });
    metrics.registrations.inc({ result: 'registered' });
    log.info({ device_id: deviceId, token: shortHash(registration) }, 'device registered');
    return { device_id: deviceId };
  } catch (error) {
    metrics.registrations.inc({ result: error instanceof ApiError ? error.code : 'failed' });
    throw error;
  }
};
