import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { parseJson, stringifyJson } from '@bellhop/protocol';

import { type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess, type ProbeResponse, shown } from '../send.ts';
import type { BouncerTarget } from './bouncer-target.ts';

interface NotifyAnswer {
  readonly apple: unknown;
  readonly android: unknown;
  readonly dead: readonly unknown[];
}

const deadLists = { account: 'delete_device_ids', device: 'delete_token_ids' } as const;
const isText = (value: unknown) => typeof value === 'string';

/** The fields of a successful answer. Throws `Deviation` if one is missing or of another type. */
function notified({ generation }: BouncerTarget, answer: ProbeResponse): NotifyAnswer {
  const { body } = requireSuccess(answer);
  const apple = body['apple_successfully_sent_count'];
  const android = body['android_successfully_sent_count'];
  const list = deadLists[generation];
  const dead = body[list];
  const status = body['realm_push_status'];
  if (!Number.isInteger(apple) || !Number.isInteger(android))
    throw new Deviation('the counts of sent notifications are missing');
  const isName = generation === 'account' ? Number.isInteger : isText;
  if (!Array.isArray(dead) || !dead.every(isName))
    throw new Deviation(`${list} is ${JSON.stringify(dead)}`);
  if (typeof status !== 'object' || status === null || !('can_push' in status))
    throw new Deviation('realm_push_status is missing');
  if (generation === 'device' && !('expected_end_timestamp' in status))
    throw new Deviation('realm_push_status has no expected_end_timestamp');
  return { apple, android, dead };
}

function expectDead(
  target: BouncerTarget,
  answer: ProbeResponse,
  ids: readonly (number | string)[],
): string {
  const list = deadLists[target.generation];
  const named = sorted(notified(target, answer).dead);
  const wanted = sorted(ids);
  if (named === wanted) return `${list} ${named}`;
  throw new Deviation(`${list} ${named} instead of ${wanted}`);
}

const sorted = (names: readonly unknown[]): string =>
  JSON.stringify(names.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)));

const delivers: Check<BouncerTarget> = {
  check: 'notifications for an FCM and an APNs phone arrive as they were sent',
  section: 'Sending',
  async run(target) {
    const [android, iphone] = [await target.phone('fcm'), await target.phone('apns')];
    const answer = await target.notify([target.itemFor(android), target.itemFor(iphone)]);
    const counts = notified(target, answer);
    if (counts.apple !== 1 || counts.android !== 1)
      throw new Deviation(`counts ${String(counts.apple)} and ${String(counts.android)}, not 1`);
    const data = (await target.arrival(android)).data ?? {};
    const payload = Object.entries(target.itemFor(android)['payload'] as object);
    const wanted = Object.fromEntries(payload.map(([name, value]) => [name, String(value)]));
    if (!isDeepStrictEqual({ ...data }, wanted))
      throw new Deviation(`FCM data ${JSON.stringify(data)} instead of ${JSON.stringify(wanted)}`);
    const arrived = await target.arrival(iphone);
    const sent = target.itemFor(iphone)['payload'];
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
      { ...target.itemFor(android), fcm_priority: 'normal' },
      { ...target.itemFor(iphone), http_headers: quiet },
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
    const { apple, android } = notified(target, await target.notify([]));
    if (apple !== 0 || android !== 0) throw new Deviation('counts above 0');
    return 'counts 0';
  },
};

const unknownDevice: Check<BouncerTarget> = {
  check: 'a notification for an unknown device beside a good one',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.phone('fcm');
    const unknown = { ...phone, id: target.unknownId() };
    const items = [target.itemFor(unknown), target.itemFor(phone)];
    const happened = expectDead(target, await target.notify(items), [unknown.id]);
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
    const body = { realm_uuid: other, push_requests: [target.itemFor(phone)] };
    const happened = expectDead(target, await target.notify([], { body }), [phone.id]);
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
      expectDead(target, await target.notify([target.itemFor(gone), target.itemFor(alive)]), [
        gone.id,
      ]),
    );
    expectDead(target, await target.notify([target.itemFor(gone)]), [gone.id]);
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
    const answer = await target.simulator.withFault(rule, () =>
      target.notify([target.itemFor(phone)]),
    );
    return expectDead(target, answer, []);
  },
};

const otherKind: Check<BouncerTarget> = {
  check: 'an APNs item for an FCM device beside a good one',
  section: 'Errors',
  async run(target) {
    const [wrong, good] = [await target.phone('fcm'), await target.phone('fcm')];
    const item = target.itemFor({ ...wrong, token_kind: 'apns' });
    const answer = await target.notify([item, target.itemFor(good)]);
    if (answer.status >= 500) throw new Deviation(shown(answer));
    if (answer.status !== 200) return requireError(answer, 400, 'BAD_REQUEST');
    expectDead(target, answer, []);
    await target.arrival(good);
    return 'the good one arrived';
  },
};

type Item = Record<string, unknown>;
const badItems: Readonly<Record<string, (item: Item) => Item>> = {
  'a payload of 5000 bytes': (item) => withData(item, 'A'.repeat(5000)),
  'a payload without encrypted_data': (item) => withData(item, undefined),
  'a payload that is a list': (item) => ({ ...item, payload: [] }),
  'neither http_headers nor fcm_priority': (item) => ({ ...item, fcm_priority: undefined }),
  'an unknown fcm_priority': (item) => ({ ...item, fcm_priority: 'urgent' }),
};
const withData = (item: Item, encrypted_data: string | undefined): Item => ({
  ...item,
  payload: { ...(item['payload'] as object), encrypted_data },
});
const failAlone = Object.entries(badItems).map(([name, spoil]): Check<BouncerTarget> => ({
  check: `a bad item fails alone: ${name}`,
  section: 'Sending',
  isAdvice: true,
  async run(target) {
    const [bad, good] = [await target.phone('fcm'), await target.phone('fcm')];
    const answer = await target.notify([spoil(target.itemFor(bad)), target.itemFor(good)]);
    expectDead(target, answer, []);
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
    const first = await target.notify([target.itemFor(phone)], options);
    const second = await target.notify([target.itemFor(phone)], options);
    notified(target, second);
    await target.arrival(phone);
    const count = await target.countOf(phone);
    if (count !== 1) throw new Deviation(`${count} notifications arrived`);
    if (!isDeepStrictEqual(first.body, second.body)) throw new Deviation('the answers differ');
    return 'one arrived, the answers are the same';
  },
};

const twoKeys: Check<BouncerTarget> = {
  check: 'two items with one token_id and two keys',
  section: 'Token IDs at the bouncer',
  async run(target) {
    const phone = await target.phone('fcm');
    const other = { ...phone, keyId: phone.keyId - 1 };
    const items = [target.itemFor(phone), target.itemFor(other)];
    const { android } = notified(target, await target.notify(items));
    await target.arrival(phone);
    const count = await target.countOf(phone);
    if (android === 2 && count === 2) return 'both arrived';
    throw new Deviation(`${count} arrived, android_successfully_sent_count ${String(android)}`);
  },
};

const revived: Check<BouncerTarget> = {
  check: 'a dead token that is registered again gets notifications',
  section: 'Token IDs at the bouncer',
  isAdvice: true,
  async run(target) {
    const [phone, alive] = [await target.phone('apns'), await target.phone('apns')];
    const rule = {
      provider: 'apns',
      token: phone.token,
      fault: { status: 410, reason: 'Unregistered' },
    } as const;
    await target.simulator.withFault(rule, () =>
      withDoubts(async () => {
        const items = [target.itemFor(phone), target.itemFor(alive)];
        expectDead(target, await target.notify(items), [phone.id]);
      }),
    );
    requireSuccess(await target.registerPhone(phone));
    expectDead(target, await target.notify([target.itemFor(phone)]), []);
    await target.arrival(phone);
    return 'dead, registered again, arrived';
  },
};

/** Notifications to phones of level 468 and later alone. */
export const tokenNotifyChecks: CheckGroup<BouncerTarget> = {
  group: 'token IDs in notifications',
  checks: [twoKeys, revived],
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
