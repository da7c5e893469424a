import { setTimeout as sleep } from 'node:timers/promises';

import type { PushServer } from '../support/push-server.ts';
import type { ChatPhones } from './chat-phones.fixture.ts';
import type { CrashResult } from './crash-test.fixture.ts';
import type { PushCallers } from './push-callers.fixture.ts';
import type { PushPhones, TrackedPhone } from './push-phones.fixture.ts';

/** Longer than the longest delay of a retry that the faults cause. */
const ARRIVE_WITHIN_MS = 300_000;
/** How much the memory of a node may grow from the second to the last quarter of the rounds. */
const GROWTH_LIMIT = 1.15;

interface Run {
  readonly chat: ChatPhones;
  readonly callers: PushCallers;
  readonly phones: PushPhones;
  readonly servers: readonly PushServer[];
  /** Memory in use by the node that was not killed, after each round, in MiB. */
  readonly memory: readonly number[];
  readonly url: string;
}

/**
 * Waits until all that must arrive has arrived and every dead phone is reported, and counts the
 * missing notifications. Throws if a phone with the app was deleted, a dead one not reported, one of the
 * chat server could not read what it got, or memory grew.
 */
export async function pushFindings(run: Run): Promise<CrashResult> {
  const { chat, callers, phones, memory } = run;
  const missing = () =>
    callers.answered.filter(({ mustArrive, text }) => mustArrive && !phones.arrivals.has(text));
  const gone = phones.all.filter(({ isInstalled }) => !isInstalled);
  const unreported = async () => {
    const logged = await deadInFeedback(run);
    return gone.filter((phone) => !callers.dead.has(phone) && !logged.has(idOf(phone)));
  };
  const isComplete = async () =>
    missing().length === 0 && chat.missing().length === 0 && (await unreported()).length === 0;
  const end = performance.now() + ARRIVE_WITHIN_MS;
  while (performance.now() < end && !(await isComplete())) await sleep(500);

  const deleted = await deadWithApp(run);
  const silent = await unreported();
  const grown = growthOf(memory);
  const repeated = repeatedArrivals(run);
  const byToken = callers.answered.filter(({ phone }) => phone.tokenId !== undefined).length;
  const figures = [
    ...chat.figures(),
    `bouncer: ${callers.answered.length - byToken} notifications by push_account_id, ${byToken} by token_id`,
    `live phones deleted ${deleted.length}`,
    `dead phones reported ${gone.length - silent.length} of ${gone.length}`,
    `arrived again ${repeated.sameId} with the same apns-id, ${repeated.fcm} over FCM, ${repeated.unkeyed} from a server without Idempotency-Key`,
    `requests repeated ${callers.repeats()}`,
    `memory in use ${grown.before} MiB, later ${grown.after} MiB`,
  ];
  const problems = [
    ...deleted.map((phone) => `deleted: phone ${idOf(phone)}, which has the app`),
    ...silent.map((phone) => `not reported: phone ${idOf(phone)}, which is dead`),
    ...chat.problems(),
    ...(grown.after > grown.before * GROWTH_LIMIT ? ['memory grew'] : []),
  ];
  if (problems.length > 0) throw new Error([...problems, ...figures].join('\n'));
  return {
    acknowledged: [...callers.answered.map(({ text }) => text), ...chat.acknowledged()],
    lost: [...missing().map(({ text }) => text), ...chat.missing()],
    doubled: [...repeated.otherId, ...chat.doubled()],
    figures,
  };
}

const idOf = ({ deviceId }: TrackedPhone) => deviceId;

/** Devices that the feedback logs of the servers call dead. */
async function deadInFeedback({ servers, url }: Run): Promise<Set<number | null>> {
  const dead = new Set<number | null>();
  for (const server of servers)
    for (let after = 0, isMore = true; isMore;) {
      const page = await server.v1(url).feedback.list({ after });
      for (const { device_id, outcome } of page.entries)
        if (outcome === 'dead') dead.add(device_id);
      [after, isMore] = [page.next, page.has_more];
    }
  return dead;
}

/** Phones with the app whose device the bouncer deleted or marked as dead. */
async function deadWithApp({ servers, phones, url }: Run): Promise<TrackedPhone[]> {
  const living = new Set<number>();
  for (const server of servers) {
    const params = { realm_uuid: server.realmUuid, limit: 1_000 };
    const { devices } = await server.v1(url).devices.list(params);
    for (const { device_id, dead_since } of devices) if (dead_since === null) living.add(device_id);
  }
  return phones.all.filter((phone) => phone.isInstalled && !living.has(phone.deviceId));
}

/** Arrivals after the first. Only a request without a key may arrive under another id. */
function repeatedArrivals({ callers, phones, servers }: Run) {
  const counts = { sameId: 0, fcm: 0, unkeyed: 0, otherId: [] as string[] };
  for (const { text, phone } of callers.answered) {
    const [first, ...more] = phones.arrivals.get(text) ?? [];
    for (const id of more)
      if (phone.server !== servers[0]) counts.unkeyed++;
      else if (id === null) counts.fcm++;
      else if (id === first) counts.sameId++;
      else counts.otherId.push(text);
  }
  return counts;
}

/** The means of the second and of the last quarter: the first one fills caches. */
function growthOf(memory: readonly number[]) {
  const quarter = Math.floor(memory.length / 4);
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
  return {
    before: mean(memory.slice(quarter, 2 * quarter)),
    after: mean(memory.slice(-quarter)),
  };
}
