import { randomUUID } from 'node:crypto';

import { ApiError, type Bouncer, isUnusable, type PushOutcome } from '@bellhop/protocol';

import type { App, Handler } from '../app.ts';
import { providers } from '../providers/providers.ts';
import { pushStatusOf } from '../servers/announce.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { deliver, type PushResult } from './deliver.ts';
import { outcomeOf } from './outcome-of.ts';
import { planPush } from './plan-push.ts';
import { expire, livingDevices, quarantine } from './queries.ts';
import { canRetry, retryInBackground } from './retry-push.ts';

/**
 * Sends notifications. The answer counts those that the providers accepted, lists the devices that no
 * longer exist, and says of each notification what became of it. A notification that a provider cannot
 * take now is in the queue of retries before the answer is sent.
 */
export const notify: Handler<Bouncer['push']['notify']> = async ({ params, server, app }) => {
  const { kysely } = app.database;
  const realm = await requireRealm(kysely, server, params.realm_uuid);
  const status = pushStatusOf(realm);
  if (!status.can_push) throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED');
  const items = params.push_requests;
  const ids = items.flatMap((item) => (isUnusable(item) ? [] : [item.device_id]));
  const devices = await livingDevices(kysely, realm.realm_uuid, ids);
  const plans = items.map((item) => planPush(randomUUID(), item, devices));
  const pushes = plans.flatMap((plan) => ('push' in plan ? [plan.push] : []));
  const results = await deliver(app, pushes);
  await record(app, results);
  const resultOf = new Map(results.map((result) => [result.push, result]));
  const outcomes = plans.map((plan): PushOutcome => {
    if (!('push' in plan)) return plan.outcome;
    const result = resultOf.get(plan.push);
    if (!result) throw new Error('a push has no result');
    return { ...outcomeOf(app, result), ...plan.remarks };
  });
  return {
    ...acceptedCounts(results),
    delete_device_ids: deadDevices(outcomes),
    outcomes,
    realm_push_status: status,
  };
};

function acceptedCounts(results: readonly PushResult[]) {
  const counts = { apple_successfully_sent_count: 0, android_successfully_sent_count: 0 };
  for (const { push, kind } of results)
    if (kind === 'accepted') counts[providers[push.kind].countField]++;
  return counts;
}

const deadDevices = (outcomes: readonly PushOutcome[]): number[] => [
  ...new Set(
    outcomes.flatMap(({ outcome, device_id }) =>
      outcome === 'dead' && device_id !== null ? [device_id] : [],
    ),
  ),
];

async function record(app: App, results: readonly PushResult[]): Promise<void> {
  const devicesWith = (kind: PushResult['kind']) =>
    results.filter((result) => result.kind === kind).map(({ push }) => push.device);
  const dead = devicesWith('dead');
  const newlyQuarantined = devicesWith('quarantined').filter(
    ({ quarantined_until }) => (quarantined_until?.getTime() ?? 0) <= app.now(),
  );
  const unfinished = results
    .filter((result) => result.kind === 'unfinished')
    .filter((result) => canRetry(app, result));
  if (dead.length + newlyQuarantined.length + unfinished.length === 0) return;
  const at = new Date(app.now());
  await app.database.transaction(async (tx) => {
    await expire(tx, dead, at);
    await quarantine(tx, newlyQuarantined, at);
    await retryInBackground(app, tx, unfinished);
  });
}
