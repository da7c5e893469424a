import type { Handlers } from '../../engine/resource.ts';
import { type BouncerTrouble, logTrouble } from './bouncer-trouble.ts';
import { notifyDevices } from './notify-devices.ts';
import * as queries from './queries.ts';

type TestNotification = Handlers<'devices'>['testNotification'];

/** Answers once the bouncer has: what it cannot tell of a phone is not reported. */
export const testNotification: TestNotification = async ({
  app,
  realm,
  user,
  params,
  db,
  fail,
}) => {
  if (!app.bouncer) return fail('PUSH_SERVICE_NOT_CONFIGURED');
  const devices = await queries.activeDevices(db, user, params.push_account_id);
  if (devices.length === 0) return fail('NO_ACTIVE_PUSH_DEVICE');
  const notified = await notifyDevices(app, realm, {
    devices,
    payload: {
      type: 'test',
      realm_url: realm.url,
      realm_name: realm.name,
      user_id: user.id,
      time: app.now(),
    },
    urgency: 'alert',
  });
  if ('trouble' in notified) {
    logTrouble(app, notified.trouble, 'a test notification could not be sent');
    return fail(codes[notified.trouble.kind]);
  }
  if (notified.living === 0) return fail('NO_ACTIVE_PUSH_DEVICE');
  return {};
};

const codes = {
  unreachable: 'FAILED_TO_CONNECT_BOUNCER',
  failing: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  administrative: 'ADMIN_ACTION_REQUIRED',
  // The request is this server's own: that it is not understood is nothing a user could change.
  refused: 'ADMIN_ACTION_REQUIRED',
} as const satisfies Record<BouncerTrouble['kind'], string>;
