import type { Transaction } from '@bellhop/postgres';
import {
  ApiError,
  type Bouncer,
  isUnusable,
  type ParamsOf,
  type PushItem,
  type PushOutcome,
  type PushRequest,
  type RealmPushStatus,
  traceIdOf,
  type Traceparent,
} from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';

import type { App } from '../app.ts';
import { type Device, expire, livingAmong, quarantine } from '../devices/queries.ts';
import { logOutcomes } from '../outcomes/feedback-log.ts';
import {
  claimKey,
  keyedRequest,
  type KeyedRequest,
  pushIdOf,
  releaseKey,
  storeOutcomes,
  storeOutcomesAlone,
} from '../outcomes/keyed-request.ts';
import type { QuotaRequest } from '../quotas/quota-keeper.ts';
import { retryInBackground } from '../retry/retry-push.ts';
import { wakeRecovered } from '../retry/wake-recovered.ts';
import { canRetry, deliver, type PushResult } from '../send/deliver.ts';
import { outcomeOf } from '../send/outcome-of.ts';
import type { RemoteRealm, RemoteServer } from '../servers/queries.ts';
import { requireRealm } from '../servers/require-realm.ts';
import { tokenIdText } from '../storage/device-name.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { requestEntries } from '../traces/request-entries.ts';
import { pushStatusOf } from './announce.ts';
import { type PlannedPush, planPush } from './plan-push.ts';

interface SendCall {
  readonly params: ParamsOf<Bouncer['push']['notify']>;
  readonly server: RemoteServer;
  readonly idempotencyKey: string | undefined;
  readonly spend: (spending: QuotaRequest) => Promise<void>;
  readonly traceparent: Traceparent;
  readonly app: App;
}
interface SentPushes {
  /** One outcome for each item, in their order. */
  readonly outcomes: readonly PushOutcome[];
  readonly status: RealmPushStatus;
}

/**
 * Sends the notifications of a request. One that a provider cannot take now is in the queue of retries
 * when this resolves. Throws PUSH_NOTIFICATIONS_DISALLOWED if the operator has stopped the realm, and
 * RATE_LIMIT_HIT if a quota has no room for all of them.
 */
export async function sendPushes({
  params,
  server,
  idempotencyKey,
  spend,
  traceparent,
  app,
}: SendCall): Promise<SentPushes> {
  const realm = await requireRealm(app.realms, server, params.realm_uuid);
  const status = pushStatusOf(realm);
  if (!status.can_push) throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED');
  const items = params.push_requests;
  const began = app.now();
  const asked = {
    deviceIds: items.flatMap((item) => (isUnusable(item) ? [] : (item.device_id ?? []))),
    tokenIds: items.flatMap((item) => (isUnusable(item) ? [] : (item.token_id ?? []))),
  };
  const living = (db: Kysely<BouncerTables>) => livingAmong(db, realm.realm_uuid, asked);
  const spendAndSend = async (devices: readonly Device[], keyed?: KeyedRequest) => {
    await spend({ rates: notificationRates, count: items.length, realmUuid: realm.realm_uuid });
    const sending = { server, realm, items, devices, keyed, traceparent };
    return { outcomes: await send(app, sending), status };
  };
  const { database } = app;
  if (idempotencyKey === undefined) return spendAndSend(await living(database.kysely).execute());
  const keyed = keyedRequest({ realmUuid: realm.realm_uuid, key: idempotencyKey }, items);
  const claim = await claimKey(database, { request: keyed, nowMs: app.now() }, living);
  if ('earlier' in claim) {
    const outcomes = claim.earlier;
    const answer = { stage: 'repetition', outcomes, began, ended: app.now() } as const;
    app.traces.add(requestEntries({ realm, items, ...answer }));
    return { outcomes, status };
  }
  try {
    return await spendAndSend(claim.rows, keyed);
  } catch (error) {
    await releaseKey(database.kysely, keyed).catch(() => {});
    throw error;
  }
}

const notificationRates = [
  'notifications_per_minute',
  'notifications_per_day',
  'realm_notifications_per_minute',
  'realm_notifications_per_day',
] as const;

interface PushBatch {
  readonly server: RemoteServer;
  readonly realm: RemoteRealm;
  readonly items: readonly PushItem[];
  /** The living devices among those of the items. */
  readonly devices: readonly Device[];
  readonly keyed: KeyedRequest | undefined;
  readonly traceparent: Traceparent;
}

async function send(
  app: App,
  { server, realm, items, devices, keyed, traceparent }: PushBatch,
): Promise<PushOutcome[]> {
  const acceptedAt = app.now();
  const byId = new Map(devices.map((device) => [device.device_id, device]));
  const byTokenId = new Map(devices.map((device) => [tokenIdText(device.token_id), device]));
  const deviceOf = ({ token_id, device_id }: PushRequest) =>
    token_id === undefined ? byId.get(device_id) : byTokenId.get(token_id);
  const context = { deviceOf, now: app.now(), trace_id: traceIdOf(traceparent) };
  const all = items.map((item, index) => planPush(pushIdOf(keyed, index), item, context));
  const plans = await limitPushes(all, (deviceIds) =>
    app.quotas.spendOnDevices(server, realm.realm_uuid, deviceIds),
  );
  const results = await deliver(
    app,
    plans.flatMap((plan) => ('push' in plan ? [plan.push] : [])),
  );
  const resultOf = new Map(results.map((result) => [result.push, result]));
  const outcomes = plans.map((plan): PushOutcome => {
    if (!('push' in plan)) return plan.outcome;
    const result = resultOf.get(plan.push);
    if (!result) throw new Error('a push has no result');
    return { ...outcomeOf(app, result), ...plan.remarks };
  });
  await record(app, { realm, acceptedAt, results, outcomes, keyed });
  const pushes = plans.map((plan) => ('push' in plan ? plan.push : undefined));
  const sent = { stage: 'request', outcomes, pushes, began: acceptedAt, ended: app.now() } as const;
  app.traces.add(requestEntries({ realm, items, ...sent }));
  return outcomes;
}

interface PushRecord {
  readonly realm: RemoteRealm;
  /** UNIX milliseconds. */
  readonly acceptedAt: number;
  readonly results: readonly PushResult[];
  readonly outcomes: readonly PushOutcome[];
  readonly keyed: KeyedRequest | undefined;
}

/** Stores the outcomes, and their consequences for devices, in one transaction. */
async function record(
  app: App,
  { realm, acceptedAt, results, outcomes, keyed }: PushRecord,
): Promise<void> {
  const dead = results.filter(({ kind }) => kind === 'dead').map(({ push }) => push.device);
  const newlyQuarantined = results
    .filter((result) => result.kind === 'quarantined')
    .filter(({ push }) => (push.device.quarantined_until?.getTime() ?? 0) <= app.now());
  const unfinished = results
    .filter((result) => result.kind === 'unfinished')
    .filter((result) => canRetry(app, result));
  const logged = outcomes.filter(({ outcome }) => !['accepted', 'queued'].includes(outcome));
  const at = new Date(app.now());
  if (logged.length + unfinished.length === 0)
    return keyed && storeOutcomesAlone(app.database, keyed, { outcomes, at });
  const write = async (tx: Transaction<BouncerTables>) => {
    await expire(tx, dead, { at, sentAt: acceptedAt });
    for (const isMismatched of [true, false]) {
      const own = newlyQuarantined.filter(({ isMismatch = false }) => isMismatch === isMismatched);
      const devices = own.map(({ push }) => push.device);
      await quarantine(tx, devices, { at, isMismatched });
    }
    await logOutcomes(tx, realm, logged, at);
    if (keyed) await storeOutcomes(tx, keyed, { outcomes, at });
    await retryInBackground(app, tx, {
      server_uuid: realm.server_uuid,
      acceptedAt,
      results: unfinished,
    });
  };
  await app.database.transaction(write, { groupFlush: true });
  await wakeRecovered(app, unfinished);
}

/**
 * Refuses pushes beyond the quota of their device. `spend` returns the reason for each device, or
 * undefined.
 */
async function limitPushes(
  plans: readonly PlannedPush[],
  spend: (deviceIds: readonly number[]) => Promise<(string | undefined)[]>,
): Promise<readonly PlannedPush[]> {
  const devices = plans.flatMap((plan) => ('push' in plan ? [plan.push.device.device_id] : []));
  const reasons = await spend(devices);
  if (reasons.every((reason) => reason === undefined)) return plans;
  let next = 0;
  return plans.map((plan) => {
    if (!('push' in plan)) return plan;
    const reason = reasons[next++];
    if (reason === undefined) return plan;
    const { id: push_id, kind: provider, device } = plan.push;
    const { device_id } = device;
    return {
      outcome: { push_id, device_id, provider, ...plan.remarks, outcome: 'refused', reason },
    };
  });
}
