import { randomUUID } from 'node:crypto';

import { ApiError, badRequest, type Bouncer, type PushRequest } from '@bellhop/protocol';

import type { App, Handler } from '../app.ts';
import { pushStatusOf } from '../servers/announce.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { fits, type Push } from './attempt.ts';
import { deliver, type Outcome } from './deliver.ts';
import { pushLater } from './push-later.ts';
import { type Device, expire, livingDevices, quarantine } from './queries.ts';

/**
 * Sends notifications and says how many the providers accepted and which devices are no more. What a
 * provider cannot take now is tried again in the background; it counts as neither.
 */
export const notify: Handler<Bouncer['push']['notify']> = async ({ params, server, app }) => {
  const { kysely } = app.database;
  const realm = await requireRealm(kysely, server, params.realm_uuid);
  const status = pushStatusOf(realm);
  if (!status.can_push) throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED');
  const requests = params.push_requests;
  const ids = requests.map(({ device_id }) => device_id);
  const devices = await livingDevices(kysely, realm.realm_uuid, ids);
  const outcomes = await deliver(app, pushesOf(requests, devices));
  await record(app, outcomes);
  const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
  const dead = outcomes.filter(({ kind }) => kind === 'dead');
  const gone = new Set(ids.filter((id) => !devices.has(id)));
  for (const { push } of dead) gone.add(push.device.device_id);
  return {
    apple_successfully_sent_count: countOf('apns', accepted),
    android_successfully_sent_count: countOf('fcm', accepted),
    delete_device_ids: [...gone],
    realm_push_status: status,
  };
};

function pushesOf(requests: readonly PushRequest[], devices: ReadonlyMap<number, Device>): Push[] {
  return requests.flatMap((request, index) => {
    const device = devices.get(request.device_id);
    if (!device) return [];
    if (!fits(request, device))
      throw badRequest(
        `push_requests[${index}]: the device ${request.device_id} is of kind ${device.token_kind}`,
        { var_name: 'push_requests' },
      );
    return [{ id: randomUUID(), device, request }];
  });
}

const countOf = (kind: Device['token_kind'], outcomes: readonly Outcome[]) =>
  outcomes.filter(({ push }) => push.device.token_kind === kind).length;

async function record(app: App, outcomes: readonly Outcome[]): Promise<void> {
  const devicesWith = (kind: Outcome['kind']) =>
    outcomes.filter((outcome) => outcome.kind === kind).map(({ push }) => push.device);
  const dead = devicesWith('dead');
  const misfits = devicesWith('quarantined').filter(
    ({ quarantined_until }) => (quarantined_until?.getTime() ?? 0) <= app.now(),
  );
  const later = outcomes.filter((outcome) => outcome.kind === 'later');
  if (dead.length + misfits.length + later.length === 0) return;
  const at = new Date(app.now());
  await app.database.transaction(async (tx) => {
    await expire(tx, dead, at);
    await quarantine(tx, misfits, at);
    await pushLater(app, tx, later);
  });
}
