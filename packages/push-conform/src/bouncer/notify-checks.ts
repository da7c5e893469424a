import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { parseJson, stringifyJson } from '@bellhop/protocol';

import { type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess, type ProbeResponse, shown } from '../send.ts';
import { type BouncerTarget, itemFor } from './bouncer-target.ts';

interface NotifyAnswer {
  readonly apple: unknown;
  readonly android: unknown;
  readonly dead: readonly unknown[];
}

/** The fields of a successful answer. Throws `Deviation` if one is missing or of another type. */
function notified(answer: ProbeResponse): NotifyAnswer {
  const { body } = requireSuccess(answer);
  const apple = body['apple_successfully_sent_count'];
  const android = body['android_successfully_sent_count'];
  const dead = body['delete_device_ids'];
  const status = body['realm_push_status'];
  if (!Number.isInteger(apple) || !Number.isInteger(android))
    throw new Deviation('the counts of sent notifications are missing');
  if (!Array.isArray(dead) || !dead.every(Number.isInteger))
    throw new Deviation('delete_device_ids is no list of integers');
  if (typeof status !== 'object' || status === null || !('can_push' in status))
    throw new Deviation('realm_push_status is missing');
  return { apple, android, dead };
}

function expectDead(answer: ProbeResponse, ids: readonly number[]): string {
  const { dead } = notified(answer);
  const wanted = ids.toSorted((a, b) => a - b);
  const named = dead.map(Number).toSorted((a, b) => a - b);
  if (String(named) === String(wanted)) return `delete_device_ids [${String(named)}]`;
  throw new Deviation(`delete_device_ids [${String(named)}] instead of [${String(wanted)}]`);
}

const delivers: Check<BouncerTarget> = {
  check: 'notifications for an FCM and an APNs phone arrive as they were sent',
  section: 'Sending',
  async run(target) {
    const [android, iphone] = [await target.phone('fcm'), await target.phone('apns')];
    const answer = await target.notify([itemFor(android), itemFor(iphone)]);
    const counts = notified(answer);
    if (counts.apple !== 1 || counts.android !== 1)
      throw new Deviation(`counts ${String(counts.apple)} and ${String(counts.android)}, not 1`);
    const data = (await target.arrival(android)).data ?? {};
    const wanted = {
      push_account_id: String(android.accountId),
      encrypted_data: 'Y29uZm9ybWFuY2U=',
    };
    if (!isDeepStrictEqual({ ...data }, wanted))
      throw new Deviation(`FCM data ${JSON.stringify(data)} instead of ${JSON.stringify(wanted)}`);
    const arrived = await target.arrival(iphone);
    const sent = itemFor(iphone)['payload'];
    if (!isDeepStrictEqual(parseJson(arrived.body ?? ''), sent))
      throw new Deviation(`the APNs body ${arrived.body} instead of ${stringifyJson(sent)}`);
    return 'both arrived unchanged';
  },
};

const headers: Check<BouncerTarget> = {
  check: 'priority, push type and topic reach the provider',
  section: 'Sending',
  async run(target) {
    const [android, iphone] = [await target.phone('fcm'), await target.phone('apns')];
    const quiet = { apns_priority: 5, apns_push_type: 'background' };
    await target.notify([
      { ...itemFor(android), fcm_priority: 'normal' },
      { ...itemFor(iphone), http_headers: quiet },
    ]);
    const { priority } = await target.arrival(android);
    if (priority !== 'normal') throw new Deviation(`FCM priority ${priority} instead of normal`);
    const arrived = await target.arrival(iphone);
    const { priority: number, push_type, topic } = arrived;
    if (number !== 5 || push_type !== 'background' || topic !== iphone.app_id)
      throw new Deviation(`APNs priority ${number}, push type ${push_type}, topic ${topic}`);
    return 'normal; 5, background, ios_app_id as topic';
  },
};

const nothing: Check<BouncerTarget> = {
  check: 'an empty list of notifications',
  section: 'Sending',
  async run(target) {
    const { apple, android } = notified(await target.notify([]));
    if (apple !== 0 || android !== 0) throw new Deviation('counts above 0');
    return 'counts 0';
  },
};

const unknownDevice: Check<BouncerTarget> = {
  check: 'a notification for an unknown device beside a good one',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.phone('fcm');
    const unknown = { ...itemFor(phone), device_id: 2_000_000_000 };
    const happened = expectDead(await target.notify([unknown, itemFor(phone)]), [2_000_000_000]);
    await target.arrival(phone);
    return happened;
  },
};

const foreignDevice: Check<BouncerTarget> = {
  check: 'a notification for a device of another realm',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.phone('fcm');
    const other = randomUUID();
    requireSuccess(await target.announce(other));
    const body = { realm_uuid: other, push_requests: [itemFor(phone)] };
    const happened = expectDead(await target.notify([], { body }), [phone.deviceId]);
    if ((await target.countOf(phone)) > 0)
      throw new Deviation('the device of the other realm got it');
    return happened;
  },
};

const deadDevice: Check<BouncerTarget> = {
  check: 'a notification for an uninstalled app, twice',
  section: 'Life of a device',
  async run(target) {
    const [gone, alive] = [await target.phone('apns'), await target.phone('apns')];
    await target.simulator.uninstall(gone.token);
    const happened = await withDoubts(async () =>
      expectDead(await target.notify([itemFor(gone), itemFor(alive)]), [gone.deviceId]),
    );
    expectDead(await target.notify([itemFor(gone)]), [gone.deviceId]);
    return happened;
  },
};

const outage: Check<BouncerTarget> = {
  check: 'a provider that is not available does not make devices dead',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.phone('apns');
    const fault = { status: 503, reason: 'ServiceUnavailable', retry_after: 1 };
    const rule = { provider: 'apns', token: phone.token, fault } as const;
    const answer = await target.simulator.withFault(rule, () => target.notify([itemFor(phone)]));
    return expectDead(answer, []);
  },
};

const otherKind: Check<BouncerTarget> = {
  check: 'an APNs item for an FCM device beside a good one',
  section: 'Errors',
  async run(target) {
    const [wrong, good] = [await target.phone('fcm'), await target.phone('fcm')];
    const item = itemFor({ ...wrong, token_kind: 'apns' });
    const answer = await target.notify([item, itemFor(good)]);
    if (answer.status >= 500) throw new Deviation(shown(answer));
    if (answer.status !== 200) return requireError(answer, 400, 'BAD_REQUEST');
    expectDead(answer, []);
    await target.arrival(good);
    return 'the good one arrived';
  },
};

const badItems: Readonly<Record<string, unknown>> = {
  'a payload of 5000 bytes': { data: 'A'.repeat(5000) },
  'a payload without encrypted_data': { payload: { push_account_id: 1 } },
  'a payload that is a list': { payload: [] },
  'neither http_headers nor fcm_priority': { fcm_priority: undefined },
  'an unknown fcm_priority': { fcm_priority: 'urgent' },
};
const failAlone = Object.entries(badItems).map(([name, change]): Check<BouncerTarget> => ({
  check: `a bad item fails alone: ${name}`,
  section: 'Sending',
  isAdvice: true,
  async run(target) {
    const [bad, good] = [await target.phone('fcm'), await target.phone('fcm')];
    const { data, ...fields } = change as { data?: string };
    const answer = await target.notify([{ ...itemFor(bad, data), ...fields }, itemFor(good)]);
    expectDead(answer, []);
    await target.arrival(good);
    return 'the good one arrived';
  },
}));

const bodies: Readonly<Record<string, unknown>> = {
  'that is not JSON': '{"realm_uuid":',
  'that is a list': '[]',
  'without push_requests': { realm_uuid: randomUUID() },
  'with a text for push_requests': { realm_uuid: randomUUID(), push_requests: 'all' },
};
const badBodies = Object.entries(bodies).map(([name, body]): Check<BouncerTarget> => ({
  check: `a request ${name}`,
  section: 'Errors',
  async run(target) {
    const answer = await target.notify([], { body });
    if (answer.status === 403) return requireError(answer, 403, 'MISSING_REMOTE_REALM');
    return requireError(answer, 400, 'BAD_REQUEST', 'INVALID_JSON', 'REQUEST_VARIABLE_MISSING');
  },
}));

const huge: Check<BouncerTarget> = {
  check: 'a request of 32 MB',
  section: 'Sizes',
  async run(target) {
    const answer = await target
      .notify([], { body: `"${'x'.repeat(32 * 1024 * 1024)}"` })
      .catch((error: unknown) => error);
    if (answer instanceof Error) {
      requireSuccess(await target.notify([]));
      return 'the connection was closed; the bouncer goes on';
    }
    const { status } = answer as ProbeResponse;
    if (status !== 400 && status !== 413) throw new Deviation(shown(answer as ProbeResponse));
    return shown(answer as ProbeResponse);
  },
};

const idempotent: Check<BouncerTarget> = {
  check: 'a request that is repeated with the same Idempotency-Key is carried out once',
  section: 'Sending',
  isAdvice: true,
  async run(target) {
    const phone = await target.phone('fcm');
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const first = await target.notify([itemFor(phone)], options);
    const second = await target.notify([itemFor(phone)], options);
    notified(second);
    await target.arrival(phone);
    const count = await target.countOf(phone);
    if (count !== 1) throw new Deviation(`${count} notifications arrived`);
    if (!isDeepStrictEqual(first.body, second.body)) throw new Deviation('the answers differ');
    return 'one arrived, the answers are the same';
  },
};

/** Notifications, good and bad. */
export const notifyChecks: CheckGroup<BouncerTarget> = {
  group: 'notifications',
  checks: [
    delivers,
    headers,
    nothing,
    unknownDevice,
    foreignDevice,
    deadDevice,
    outage,
    otherKind,
    ...failAlone,
    ...badBodies,
    huge,
    idempotent,
  ],
};
