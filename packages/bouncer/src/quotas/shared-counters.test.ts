import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type BouncerTables, migrations } from '../bouncer.ts';
import { usesOf } from './queries.ts';
import { SharedCounters, type QuotaUse } from './shared-counters.ts';

let created: TestDatabase<BouncerTables>;
/** The middle of a minute. */
const start = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;
let now = start;
beforeAll(async () => {
  created = await createTestDatabase<BouncerTables>({ migrations });
});
const nodes: SharedCounters[] = [];
afterAll(async () => {
  for (const node of nodes) await node.close();
  await created[Symbol.asyncDispose]();
});

/** A node; counts the statements that it sends. */
function newNode() {
  const { kysely } = created.database;
  const node = { statements: 0 };
  const counting = kysely.withPlugin({
    transformQuery: ({ node: query }) => {
      node.statements++;
      return query;
    },
    transformResult: async ({ result }) => result,
  });
  const counters = new SharedCounters({ kysely: counting, now: () => now });
  nodes.push(counters);
  return Object.assign(counters, node, {
    get sent() {
      return node.statements;
    },
  });
}
/** What the database has of a subject. */
const usedOf = async (subject: string) =>
  (await usesOf(created.database.kysely, [subject])).map(({ used }) => used);
/** Uses one by one, as fast as it can. */
async function useMany(node: SharedCounters, { of, times }: { of: QuotaUse; times: number }) {
  for (let time = 0; time < times; time++) expect(await node.take([of])).toBeUndefined();
}
const use = (subject: string, limit: number, count = 1): QuotaUse => ({
  subject,
  quota: 'test',
  limit,
  seconds: 60,
  count,
});

test('two nodes together allow exactly the limit of concurrent uses', async () => {
  const nodes = [newNode(), newNode()];
  for (const limit of [3, 250]) {
    const asked = Array.from({ length: limit }, () => nodes)
      .flat()
      .map((node) => node.take([use(`exact ${limit}`, limit)]));
    const refused = (await Promise.all(asked)).filter(Boolean).length;
    expect(asked.length - refused).toBeLessThanOrEqual(limit);
    // A node may hold some uses in advance, which the other node cannot grant.
    expect(asked.length - refused).toBeGreaterThanOrEqual(Math.floor(limit * 0.98));
  }
});

test('a busy node asks the database far less often than it counts', async () => {
  const node = newNode();
  for (let times = 0; times < 5_000; times++)
    expect(await node.take([use('busy', 600_000, 3)])).toBeUndefined();
  expect(node.sent).toBeLessThan(20);
});

test('take() counts all of several uses, or none if one exceeds its limit', async () => {
  const node = newNode();
  const [wide, narrow] = [use('wide', 100, 10), use('narrow', 15, 10)];
  expect(await node.take([wide, narrow])).toBeUndefined();
  expect(await node.take([wide, narrow])).toEqual(narrow);
  expect(node.stateOf(wide).remaining).toBe(90);
  expect(await node.take([use('narrow', 15, 5)])).toBeUndefined();
});

test('the next window begins with the whole limit', async () => {
  const node = newNode();
  expect(await node.take([use('window', 2, 2)])).toBeUndefined();
  expect(await node.take([use('window', 2)])).toBeDefined();
  expect(node.stateOf(use('window', 2))).toEqual({ remaining: 0, resetMs: 30_000 });
  now = start + 30_000;
  expect(await node.take([use('window', 2, 2)])).toBeUndefined();
  now = start;
});

test('a node whose clock is behind counts in the window that the others have begun', async () => {
  const [ahead, behind] = [newNode(), newNode()];
  now = start + 30_000;
  expect(await ahead.take([use('skew', 2, 2)])).toBeUndefined();
  now = start;
  expect(await behind.take([use('skew', 2)])).toBeDefined();
});

test('a limit that the operator changes applies at once and counts earlier uses', async () => {
  const node = newNode();
  await node.take([use('changed', 1)]);
  expect(await node.take([use('changed', 1)])).toBeDefined();
  expect(await node.take([use('changed', 10_000)])).toBeUndefined();
  expect(await node.take([use('changed', 4, 2)])).toBeUndefined();
  expect(await node.take([use('changed', 4)])).toBeDefined();
});

test('a first use claims nothing in advance', async () => {
  await newNode().take([use('idle', 50_000_000, 3)]);
  expect(await usedOf('idle')).toEqual([3]);
});

test('close() gives back what was claimed in advance', async () => {
  const node = newNode();
  await useMany(node, { of: use('closed', 50_000_000), times: 100 });
  expect(await usedOf('closed')).not.toEqual([100]);
  await node.close();
  expect(await usedOf('closed')).toEqual([100]);
});

test('a node gives back the uses that it has claimed in advance and not used for two seconds', async () => {
  const node = newNode();
  await useMany(node, { of: use('returned', 50_000_000), times: 100 });
  await expect.poll(() => usedOf('returned'), { timeout: 8_000 }).toEqual([100]);
  expect(node.stateOf(use('returned', 50_000_000)).remaining).toBe(49_999_900);
});

test('a refused node asks again when another may have given uses back', async () => {
  const [holder, other] = [newNode(), newNode()];
  await holder.take([use('again', 10, 8)]);
  expect(await holder.take([use('again', 10, 3)])).toBeDefined();
  expect(await other.take([use('again', 10, 2)])).toBeDefined();
  await holder.close();
  const isAllowed = async () => (await other.take([use('again', 10, 2)])) === undefined;
  await expect.poll(isAllowed, { timeout: 8_000 }).toBe(true);
});

test('a lost node leaves no more counted than was used twice over', async () => {
  const crashed = newNode();
  await useMany(crashed, { of: use('crash', 50_000_000), times: 50 });
  expect((await usedOf('crash'))[0]).toBeLessThanOrEqual(100);
  expect(await newNode().take([use('crash', 200)])).toBeUndefined();
});
