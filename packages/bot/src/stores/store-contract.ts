import assert from 'node:assert/strict';

import { BotError } from '../bot-error.ts';
import type { JsonValue, Store } from './store.ts';

/** A store that a case of the contract tests. */
export interface TestedStore {
  /** Empty, and not used by anything else. */
  readonly store: Store;
  /** Another store on the same data, as a second process opens it. Not for a `singleProcess` store. */
  readonly other?: Store;
  /** Lets `ms` milliseconds pass: advances the clock of the store, or waits. */
  readonly elapse: (ms: number) => Promise<void>;
}

export interface StoreContractCase {
  readonly name: string;
  /** Opens a store, tests and closes it. Rejects with an AssertionError if the store fails the case. */
  readonly run: (open: () => Promise<TestedStore>) => Promise<void>;
}

const cases: Readonly<Record<string, (tested: TestedStore) => Promise<void>>> = {
  async 'an empty store has no values and no keys'({ store }) {
    assert.equal(await store.get('a'), undefined);
    assert.deepEqual(await store.list(''), []);
    await store.delete('a');
  },

  async 'get returns the written value and its version'({ store }) {
    for (const [index, value] of values.entries()) {
      const version = await store.set(`key ${index}`, value);
      assert.ok(typeof version === 'string' && version !== '', 'set returns a version');
      assert.deepEqual(await store.get(`key ${index}`), { value, version });
    }
    await store.set('sparse', { there: 1, not: undefined });
    assert.deepEqual((await store.get('sparse'))?.value, { there: 1 });
  },

  async 'changing a written or a read object does not change the stored value'({ store }) {
    const given = { list: [1] };
    await store.set('a', given);
    given.list.push(2);
    const got = (await store.get('a'))?.value;
    assert.deepEqual(got, { list: [1] });
    Object.assign(got as object, { more: true });
    assert.deepEqual((await store.get('a'))?.value, { list: [1] });
  },

  async 'every write has a new version, even of an equal value or after a delete'({ store }) {
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 3; round++) {
      seen.add(await store.set('a', 'same'));
      seen.add(await store.set('a', 'same'));
      await store.delete('a');
    }
    assert.equal(seen.size, 6);
    assert.ok(!seen.has(undefined));
  },

  async 'set with `expected: null` writes only if the key has no value'({ store }) {
    const version = await store.set('a', 1, { expected: null });
    assert.ok(version);
    assert.equal(await store.set('a', 2, { expected: null }), undefined);
    assert.deepEqual(await store.get('a'), { value: 1, version });
    await store.delete('a');
    assert.ok(await store.set('a', 3, { expected: null }));
  },

  async 'set with an expected version writes only over that version'({ store }) {
    const first = await written(store, 'a', 1);
    const second = await store.set('a', 2, { expected: first });
    assert.ok(second);
    assert.equal(await store.set('a', 3, { expected: first }), undefined);
    assert.deepEqual(await store.get('a'), { value: 2, version: second });
    assert.equal(await store.set('nowhere', 1, { expected: first }), undefined);
    assert.equal(await store.get('nowhere'), undefined);
    await store.delete('a');
    assert.equal(await store.set('a', 4, { expected: second }), undefined);
    assert.equal(await store.get('a'), undefined);
  },

  async 'of concurrent writes with one expected version exactly one succeeds'({ store }) {
    for (const expected of [null, await written(store, 'there', 0)]) {
      const key = expected === null ? 'new' : 'there';
      const writes = Array.from({ length: 20 }, (_, by) => store.set(key, by + 1, { expected }));
      const versions = await Promise.all(writes);
      const winner = versions.findIndex((version) => version !== undefined);
      assert.equal(versions.filter((version) => version !== undefined).length, 1);
      assert.deepEqual(await store.get(key), { value: winner + 1, version: versions[winner] });
    }
  },

  async 'of concurrent writes of two processes with one expected version exactly one succeeds'(
    tested,
  ) {
    const { store, elapse } = tested;
    if (store.singleProcess === true) return;
    const other = otherOf(tested);
    const replaced = await written(store, 'there', 0);
    await store.set('expired', 0, { ttlMs: 1 });
    await elapse(50);
    for (const [key, expected] of [
      ['new', null],
      ['expired', null],
      ['there', replaced],
    ] as const) {
      const writes = Array.from({ length: 20 }, (_, by) =>
        (by % 2 === 0 ? store : other).set(key, by, { expected }),
      );
      const versions = await Promise.all(writes);
      const winner = versions.findIndex((version) => version !== undefined);
      assert.equal(versions.filter((version) => version !== undefined).length, 1, key);
      const current = { value: winner, version: versions[winner] };
      assert.deepEqual(await store.get(key), current);
      assert.deepEqual(await other.get(key), current);
    }
  },

  async 'a process sees at once what another one writes, renews and deletes'(tested) {
    const { store } = tested;
    if (store.singleProcess === true) return;
    const other = otherOf(tested);
    const first = await written(store, 'a', 1);
    assert.deepEqual(await other.get('a'), { value: 1, version: first });
    const second = await other.set('a', 1, { expected: first });
    assert.ok(second !== undefined && second !== first, 'a renewal changes the version');
    assert.equal(await store.set('a', 2, { expected: first }), undefined);
    assert.deepEqual(await store.get('a'), { value: 1, version: second });
    assert.deepEqual(await store.list(''), ['a']);
    await store.delete('a');
    assert.equal(await other.get('a'), undefined);
    assert.deepEqual(await other.list(''), []);
    assert.equal(await other.set('a', 3, { expected: second }), undefined);
  },

  async 'concurrent increments with retries are all counted'({ store }) {
    const increment = async (): Promise<void> => {
      const found = await store.get('count');
      const value = Number(found?.value ?? 0) + 1;
      const options = { expected: found?.version ?? null };
      if ((await store.set('count', value, options)) === undefined) await increment();
    };
    await Promise.all(Array.from({ length: 10 }, increment));
    assert.equal((await store.get('count'))?.value, 10);
  },

  async 'delete removes one key, and a second delete has no effect'({ store }) {
    await store.set('a', 1);
    await store.set('b', 2);
    await store.delete('a');
    await store.delete('a');
    assert.equal(await store.get('a'), undefined);
    assert.deepEqual(await store.list(''), ['b']);
  },

  async 'a value expires after ttlMs'({ store, elapse }) {
    const began = performance.now();
    const version = await store.set('short', 1, { ttlMs: 1_000 });
    const found = await store.get('short');
    // On a busy machine it may have expired already.
    if (performance.now() - began < 1_000) assert.deepEqual(found, { value: 1, version });
    await store.set('long', 1, { ttlMs: 600_000 });
    await store.set('endless', 1, { ttlMs: Infinity });
    await elapse(1_050);
    assert.equal(await store.get('short'), undefined);
    assert.deepEqual((await store.list('')).toSorted(), ['endless', 'long']);
    assert.equal(await store.set('short', 2, { expected: version ?? '' }), undefined);
    assert.ok(await store.set('short', 3, { expected: null }));
  },

  async 'the ttlMs of the last write counts'({ store, elapse }) {
    const first = await written(store, 'kept', 1, 1_000);
    // On a busy machine the first value may have expired already.
    if (!(await store.set('kept', 2, { expected: first }))) await store.set('kept', 2);
    await store.set('plain', 1, { ttlMs: 1_000 });
    await store.set('plain', 2);
    await store.set('dying', 1);
    await store.set('dying', 2, { ttlMs: 1_000 });
    await elapse(1_050);
    assert.deepEqual((await store.list('')).toSorted(), ['kept', 'plain']);
  },

  async 'list returns the keys with a prefix, also one with special characters'({ store }) {
    const groups = ['a%b', 'a_b', 'a*b', 'a?b', 'a[b]', 'a\\b', "a'b", 'a"b', 'A%B', 'a/b', 'äb'];
    const keys = groups.flatMap((group) => [`${group}1`, `${group}2`]);
    keys.push(...groups.map((group) => `contains: ${group}`));
    for (const key of keys) await store.set(key, key);
    for (const group of groups) {
      assert.deepEqual((await store.list(group)).toSorted(), [`${group}1`, `${group}2`]);
    }
    assert.deepEqual((await store.list('')).toSorted(), keys.toSorted());
    assert.deepEqual(await store.list('nothing'), []);
  },

  async 'keys that differ only in case, spaces or normalization are different keys'({ store }) {
    const keys = ['a', 'A', ' a', 'a ', 'a\n', '.', '..', '../a', '/', 'CON', 'é', 'e\u0301', '🐢'];
    keys.push('__proto__', 'constructor', 'x'.repeat(400), '€'.repeat(400), `${'x'.repeat(399)}y`);
    for (const key of keys) await store.set(key, `value of ${key}`);
    for (const key of keys) assert.equal((await store.get(key))?.value, `value of ${key}`);
    assert.deepEqual((await store.list('')).toSorted(), keys.toSorted());
  },

  async 'invalid keys, values and ttlMs are refused with store_failed'({ store }) {
    for (const key of ['', 'x'.repeat(401), 'a\0b', 'lone \ud800']) {
      await refused(() => store.get(key));
      await refused(() => store.set(key, 1));
      await refused(() => store.delete(key));
    }
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [undefined, Number.NaN, 1n, () => 1, { at: [new Date()] }, circle]) {
      await refused(() => store.set('a', value as JsonValue));
    }
    for (const ttlMs of [0, -1, Number.NaN]) await refused(() => store.set('a', 1, { ttlMs }));
    assert.deepEqual(await store.list(''), []);
  },

  async 'calls after close are refused with store_failed, and a second close has no effect'({
    store,
  }) {
    await store.set('a', 1);
    await store.close();
    await refused(() => store.get('a'));
    await refused(() => store.set('a', 1));
    await refused(() => store.list(''));
    await refused(() => store.delete('a'));
    await store.close();
  },
};

/**
 * The tests that every store must pass, for any test runner. Run each case with a function that opens
 * a new, empty store; the case closes it.
 */
export const storeContract: readonly StoreContractCase[] = Object.entries(cases).map(
  ([name, check]) => ({
    name,
    async run(open) {
      const tested = await open();
      try {
        await check(tested);
      } finally {
        await tested.store.close();
        await tested.other?.close();
      }
    },
  }),
);

const values: readonly JsonValue[] = [
  null,
  true,
  0,
  -1.5e-7,
  Number.MAX_SAFE_INTEGER,
  '',
  'NUL \0, newline \n, quote ", backslash \\, turtle 🐢',
  [],
  {},
  { deep: { list: [1, [2, { three: null }]], ['__proto__']: 1 } },
  'x'.repeat(200_000),
];

function otherOf({ other }: TestedStore): Store {
  assert.ok(other, 'give `other`, or make the store `singleProcess`');
  return other;
}

async function written(store: Store, key: string, value: JsonValue, ttlMs?: number) {
  const version = await store.set(key, value, ttlMs === undefined ? {} : { ttlMs });
  assert.ok(version, 'an unconditional set returns a version');
  return version;
}

async function refused(attempt: () => Promise<unknown>): Promise<void> {
  const isRefusal = (error: unknown) => error instanceof BotError && error.code === 'store_failed';
  await assert.rejects(attempt, isRefusal, 'rejects with BotError store_failed');
}
