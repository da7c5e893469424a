import { setTimeout as sleep } from 'node:timers/promises';

import { type History, reactionTo, starOf } from './history.ts';
import { type Load, messagesAfter } from './load.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly acknowledgedKeys: readonly string[];
  /** Each line says what was promised and is not so. */
  readonly lost: readonly string[];
  /** What is lost, but was acknowledged while a failover could lose it: without synchronous replication. */
  readonly lostByFailover: readonly string[];
  readonly doubled: readonly string[];
  readonly disordered: readonly string[];
  /** Events that their reader may not see. */
  readonly leaked: readonly string[];
  readonly figures: readonly string[];
}

const DELIVERED_WITHIN_MS = 180_000;
/** A push, from its message on, while nothing fails. */
const DONE_WITHIN_MS = 10_000;
const MESSAGE = /^(?:@\*\*Answer\*\* )?(writer \d+ message \d+)$/;
const REPLY = /^reply to (\d+)$/;

/** In milliseconds since the beginning. */
export interface Failover {
  readonly from: number;
  readonly to: number;
}

/**
 * Compares what the clients were told and what they saw with what the server has in the end. What was
 * acknowledged during one of `losing` may be lost, and pushes of then and shortly before repeated.
 */
export async function check(
  history: History,
  { people, phones }: Load,
  losing: readonly Failover[],
): Promise<Verdict> {
  const [first] = people;
  if (!first) throw new Error('Nobody is there');
  const lost: string[] = [];
  const lostByFailover: string[] = [];
  const isIn = (promise: string, before: number) => {
    const at = history.times.get(promise) ?? 0;
    return losing.some(({ from, to }) => at >= from - before && at <= to);
  };
  const mayBeLost = (promise: string) => isIn(promise, 0);
  /** What was done shortly before, but not recorded on the standby, is done again. */
  const mayBeRepeated = (promise: string) => isIn(promise, DONE_WITHIN_MS);
  const keyOf = new Map([...history.acknowledged].map(([key, id]) => [id, key]));
  /** `promise` says when: that of a message for what follows from it. */
  const lose = (what: string, promise = what) =>
    (mayBeLost(promise) ? lostByFailover : lost).push(what);
  const loseOf = (id: number, what: string) => lose(what, keyOf.get(id));
  const doubled: string[] = [];
  const disordered: string[] = [];
  const leaked: string[] = [];

  // Deliveries are repeated after a while.
  const awaited = new Set([...history.mentions].filter((id) => !mayBeLost(keyOf.get(id) ?? '')));
  const missing = () => [...awaited].filter((id) => !history.deliveries.has(id));
  let found = await messagesAfter(first.client, 0);
  const repliesTo = () => {
    const replies = new Map<number, number>();
    for (const { content } of found) {
      const id = Number(REPLY.exec(content)?.[1]);
      if (id) replies.set(id, (replies.get(id) ?? 0) + 1);
    }
    return replies;
  };
  await waitUntil(async () => {
    found = await messagesAfter(first.client, 0);
    return missing().length === 0 && [...awaited].every((id) => repliesTo().has(id));
  });
  const replies = repliesTo();
  for (const id of history.mentions) {
    if (!history.deliveries.has(id)) loseOf(id, `delivery of message ${id}`);
    if (!replies.has(id)) loseOf(id, `reply to message ${id}`);
  }
  for (const [id, count] of replies) if (count > 1) doubled.push(`reply to message ${id}`);

  const byKey = new Map<string, number>();
  const lastOf = new Map<string, number>();
  const readers = [...people, ...phones];
  const messages = new Map<number, (typeof found)[number]>();
  const starredBy = new Map<string, Set<number>>();
  for (const { name, client } of readers) {
    const own = await messagesAfter(client, 0);
    for (const message of own) messages.set(message.id, message);
    const starred = own.filter(({ flags }) => flags.includes('starred'));
    starredBy.set(name, new Set(starred.map(({ id }) => id)));
  }
  for (const { id, content } of [...messages.values()].toSorted((a, b) => a.id - b.id)) {
    const key = MESSAGE.exec(content)?.[1];
    if (key === undefined) continue;
    if (byKey.has(key)) doubled.push(key);
    byKey.set(key, id);
    // One without an answer may be stored after the next one.
    if (history.acknowledged.has(key))
      inOrder(key, lastOf, (text) => disordered.push(`stored: ${text}`));
  }
  for (const [key, id] of history.acknowledged) if (byKey.get(key) !== id) lose(key);
  for (const id of history.reactions.keys())
    if (messages.get(id)?.reactions.length !== 1) lose(reactionTo(id));
  for (const [id, name] of history.stars) if (!starredBy.get(name)?.has(id)) lose(starOf(id));
  const pushed = [...history.direct.keys()].flatMap((key) => history.acknowledged.get(key) ?? []);
  const due = pushed.filter((id) => !mayBeLost(keyOf.get(id) ?? ''));
  await waitUntil(() => due.every((id) => history.shown.has(id)));
  for (const id of pushed) if (!history.shown.has(id)) loseOf(id, `push of message ${id}`);
  for (const [id, ciphertexts] of history.shown)
    if (ciphertexts.size > 1 && !mayBeRepeated(keyOf.get(id) ?? ''))
      doubled.push(`push of message ${id}`);

  for (const [at, { name }] of people.entries()) {
    const seen = history.seen.get(name) ?? [];
    const mayRead = (key: string) =>
      history.direct.has(key)
        ? key.startsWith(`${name} `)
        : at < people.length / 2 || !history.closed.has(key);
    const once = new Set<string>();
    const last = new Map<string, number>();
    for (const key of seen) {
      if (once.has(key)) doubled.push(`event of ${key} for ${name}`);
      once.add(key);
      if (history.acknowledged.has(key))
        inOrder(key, last, (text) => disordered.push(`events of ${name}: ${text}`));
      if (!mayRead(key)) leaked.push(`${key} to ${name}`);
    }
    for (const key of history.acknowledged.keys())
      if (mayRead(key) && !once.has(key)) lose(`event of ${key} for ${name}`, key);
  }
  const repeated = [...history.deliveries.values()].filter((count) => count > 1).length;
  return {
    acknowledged: history.acknowledged.size,
    acknowledgedKeys: [...history.acknowledged.keys()],
    lost,
    lostByFailover,
    doubled,
    disordered,
    leaked,
    figures: [
      `${history.stars.size} stars`,
      `${history.reactions.size} reactions`,
      `${history.mentions.size} deliveries (${repeated} repeated)`,
      `${pushed.length} pushes`,
    ],
  };
}

/** Waits for what is repeated after a failure. */
async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + DELIVERED_WITHIN_MS; performance.now() < end;) {
    if (await isSo()) return;
    await sleep(2000);
  }
}

/** The messages of a writer have ascending numbers: they wait for each answer. */
function inOrder(key: string, last: Map<string, number>, report: (text: string) => void): void {
  const [, writer = '', number = ''] = /^(writer \d+) message (\d+)$/.exec(key) ?? [];
  const before = last.get(writer) ?? -1;
  if (Number(number) < before) report(`${key} after message ${before}`);
  last.set(writer, Math.max(before, Number(number)));
}
