import { randomUUID } from 'node:crypto';

import { badRequest } from '@bellhop/protocol';

import type { Handlers } from '../../engine/resource.ts';
import { activeDevices } from '../../model/devices/active-devices.ts';
import { errorCodes, logFailure, quotaMessage } from '../../model/devices/bouncer-failure.ts';
import * as clientDevices from '../../model/devices/client-devices.ts';
import {
  type DeviceNotification,
  encryptNotifications,
} from '../../model/devices/encrypt-notifications.ts';
import { unknownDevice } from './client-devices.ts';
import { sendRequests } from './send-requests.ts';

type TestNotification = Handlers<'devices'>['testNotification'];

/** Responds after the bouncer has: success means that the bouncer took the notification, not that it arrived. */
export const testNotification: TestNotification = async ({
  app,
  realm,
  user,
  params,
  db,
  change,
  fail,
}) => {
  if (!app.bouncer) return fail('PUSH_SERVICE_NOT_CONFIGURED');
  const { push_account_id: account, device_id } = params;
  if (account !== undefined && device_id !== undefined)
    throw badRequest('Send device_id or push_account_id, or neither for all your devices');
  const users = [user.id];
  const devices = await activeDevices(db, user.realm_id, { users, account, device_id });
  if (devices.length === 0) {
    const isUnknown =
      device_id !== undefined &&
      !(await clientDevices.ofUser(db, user)).some(({ id }) => id === device_id);
    // The code of public servers, also for a device that the user does not have.
    return fail('NO_ACTIVE_PUSH_DEVICE', isUnknown ? unknownDevice(device_id) : undefined);
  }
  const payload = {
    type: 'test',
    realm_url: realm.url,
    realm_name: realm.name,
    user_id: user.id,
    time: app.now(),
  } as const;
  const cause = { trigger: null, waited_for_idle: false, event_ms: app.nowMs(), job_ms: null };
  const notifications = devices.map((device) => ({ device, payload, cause }));
  let left: readonly DeviceNotification[] = notifications;
  let remaining = 0;
  // A second time to the phones that have replaced their token meanwhile.
  for (let time = 1; time <= 2 && left.length > 0; time++) {
    const encrypted = await encryptNotifications(app, left);
    const idempotencyKey = randomUUID();
    const result = await sendRequests({ app, realm, change }, encrypted, { idempotencyKey });
    if ('failure' in result) {
      logFailure(app, result.failure, 'a test notification could not be sent');
      return fail(errorCodes[result.failure.kind], quotaMessage(result.failure));
    }
    remaining += result.remaining;
    left = result.replaced;
  }
  if (remaining === 0) return fail('NO_ACTIVE_PUSH_DEVICE');
  return {};
};
