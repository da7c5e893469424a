import { randomUUID } from 'node:crypto';

import {
  ApiError,
  type Bouncer,
  type PushRequest,
  type UndeliverablePush,
} from '@bellhop/protocol';

import type { App, Handler } from '../app.ts';
import { providers } from '../providers/providers.ts';
import { pushStatusOf } from '../servers/announce.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { createPush, type Push } from './create-push.ts';
import { deliver, type PushResult, type UnfinishedPush } from './deliver.ts';
import { type Device, expire, livingDevices, quarantine } from './queries.ts';
import { retryInBackground } from './retry-push.ts';

/**
 * Sends notifications. The answer counts those that the providers accepted, lists the devices that no
 * longer exist, and lists the notifications that will not be delivered, with the reason. A notification
 * that a provider cannot take now is in the queue of retries before the answer is sent; it is neither
 * counted nor listed.
 */
export const notify: Handler<Bouncer['push']['notify']> = async ({ params, server, app }) => {
  const { kysely } = app.database;
  const realm = await requireRealm(kysely, server, params.realm_uuid);
  const status = pushStatusOf(realm);
  if (!status.can_push) throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED');
  const requests = params.push_requests;
  const ids = requests.map(({ device_id }) => device_id);
  const devices = await livingDevices(kysely, realm.realm_uuid, ids);
  const { pushes, misfits } = pushesOf(requests, devices);
  const results = await deliver(app, pushes);
  await record(app, results);
  const dead = results.filter(({ kind }) => kind === 'dead');
  const deleted = new Set(ids.filter((id) => !devices.has(id)));
  for (const { push } of dead) deleted.add(push.device.device_id);
  return {
    ...acceptedCounts(results),
    delete_device_ids: [...deleted],
    undeliverable: [...misfits, ...undeliverable(app, results)],
    realm_push_status: status,
  };
};

/** The pushes to living devices, and the requests in the form of another kind of device. */
function pushesOf(requests: readonly PushRequest[], devices: ReadonlyMap<number, Device>) {
  const pushes: Push[] = [];
  const misfits: UndeliverablePush[] = [];
  for (const request of requests) {
    const device = devices.get(request.device_id);
    if (!device) continue;
    const push = createPush({ id: randomUUID(), device, request });
    if (push) pushes.push(push);
    else {
      const reason = `the device registered with the bouncer as ${device.token_kind}`;
      misfits.push({ device_id: device.device_id, reason });
    }
  }
  return { pushes, misfits };
}

function acceptedCounts(results: readonly PushResult[]) {
  const counts = { apple_successfully_sent_count: 0, android_successfully_sent_count: 0 };
  for (const { push, kind } of results)
    if (kind === 'accepted') counts[providers[push.kind].countField]++;
  return counts;
}

const mayRetry = (app: App, { waitMs }: UnfinishedPush) => waitMs < app.retrySeconds * 1_000;

const undeliverable = (app: App, results: readonly PushResult[]): UndeliverablePush[] =>
  results.flatMap((result) =>
    'reason' in result && !(result.kind === 'unfinished' && mayRetry(app, result))
      ? [{ device_id: result.push.device.device_id, reason: result.reason }]
      : [],
  );

async function record(app: App, results: readonly PushResult[]): Promise<void> {
  const devicesWith = (kind: PushResult['kind']) =>
    results.filter((result) => result.kind === kind).map(({ push }) => push.device);
  const dead = devicesWith('dead');
  const newlyQuarantined = devicesWith('quarantined').filter(
    ({ quarantined_until }) => (quarantined_until?.getTime() ?? 0) <= app.now(),
  );
  const unfinished = results
    .filter((result) => result.kind === 'unfinished')
    .filter((result) => mayRetry(app, result));
  if (dead.length + newlyQuarantined.length + unfinished.length === 0) return;
  const at = new Date(app.now());
  await app.database.transaction(async (tx) => {
    await expire(tx, dead, at);
    await quarantine(tx, newlyQuarantined, at);
    await retryInBackground(app, tx, unfinished);
  });
}
