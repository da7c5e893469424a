import { randomUUID } from 'node:crypto';

import { ApiError, badRequest, type Bouncer, type PushRequest } from '@bellhop/protocol';

import type { App, Handler } from '../app.ts';
import { providers } from '../providers/providers.ts';
import { pushStatusOf } from '../servers/announce.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { createPush, type Push } from './create-push.ts';
import { deliver, type PushResult } from './deliver.ts';
import { type Device, expire, livingDevices, quarantine } from './queries.ts';
import { retryInBackground } from './retry-push.ts';

/**
 * Sends notifications. The answer counts those that the providers accepted and lists the devices
 * that no longer exist. A notification that a provider cannot take now is retried in the
 * background; it is neither counted nor listed.
 */
export const notify: Handler<Bouncer['push']['notify']> = async ({ params, server, app }) => {
  const { kysely } = app.database;
  const realm = await requireRealm(kysely, server, params.realm_uuid);
  const status = pushStatusOf(realm);
  if (!status.can_push) throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED');
  const requests = params.push_requests;
  const ids = requests.map(({ device_id }) => device_id);
  const devices = await livingDevices(kysely, realm.realm_uuid, ids);
  const results = await deliver(app, pushesOf(requests, devices));
  await record(app, results);
  const dead = results.filter(({ kind }) => kind === 'dead');
  const deleted = new Set(ids.filter((id) => !devices.has(id)));
  for (const { push } of dead) deleted.add(push.device.device_id);
  return {
    ...acceptedCounts(results),
    delete_device_ids: [...deleted],
    realm_push_status: status,
  };
};

function pushesOf(requests: readonly PushRequest[], devices: ReadonlyMap<number, Device>): Push[] {
  return requests.flatMap((request, index) => {
    const device = devices.get(request.device_id);
    if (!device) return [];
    const push = createPush({ id: randomUUID(), device, request });
    if (push) return [push];
    throw badRequest(
      `push_requests[${index}]: the device ${request.device_id} is of kind ${device.token_kind}`,
      { var_name: 'push_requests' },
    );
  });
}

function acceptedCounts(results: readonly PushResult[]) {
  const counts = { apple_successfully_sent_count: 0, android_successfully_sent_count: 0 };
  for (const { push, kind } of results)
    if (kind === 'accepted') counts[providers[push.kind].countField]++;
  return counts;
}

async function record(app: App, results: readonly PushResult[]): Promise<void> {
  const devicesWith = (kind: PushResult['kind']) =>
    results.filter((result) => result.kind === kind).map(({ push }) => push.device);
  const dead = devicesWith('dead');
  const newlyQuarantined = devicesWith('quarantined').filter(
    ({ quarantined_until }) => (quarantined_until?.getTime() ?? 0) <= app.now(),
  );
  const unfinished = results.filter((result) => result.kind === 'unfinished');
  if (dead.length + newlyQuarantined.length + unfinished.length === 0) return;
  const at = new Date(app.now());
  await app.database.transaction(async (tx) => {
    await expire(tx, dead, at);
    await quarantine(tx, newlyQuarantined, at);
    await retryInBackground(app, tx, unfinished);
  });
}
