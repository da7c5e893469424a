import assert from 'node:assert/strict';

import { BotError } from '../bot-error.ts';
import type { JsonValue, Store } from './store.ts';

/** A store as the contract tries it. */
export interface StoreOnTrial {
  /** Empty, and of nobody else. */
  readonly store: Store;
  /** Lets so many milliseconds pass: moves the clock the store was given, or waits. */
  readonly elapse: (ms: number) => Promise<void>;
}

export interface StoreContractCase {
  readonly name: string;
  /** Rejects with an AssertionError where the store does not keep the contract. */
  readonly run: (open: () => Promise<StoreOnTrial>) => Promise<void>;
}

const cases: Readonly<Record<string, (on: StoreOnTrial) => Promise<void>>> = {
  async 'nothing is where nothing was written'({ store }) {
    assert.equal(await store.get('a'), undefined);
    assert.deepEqual(await store.list(''), []);
    await store.delete('a');
  },

  async 'gives back what was written, with its version'({ store }) {
    for (const [index, value] of values.entries()) {
      const version = await store.set(`key ${index}`, value);
      assert.ok(typeof version === 'string' && version !== '', 'set returns a version');
      assert.deepEqual(await store.get(`key ${index}`), { value, version });
    }
    await store.set('sparse', { there: 1, not: undefined });
    assert.deepEqual((await store.get('sparse'))?.value, { there: 1 });
  },

  async 'keeps a copy: changing what was given or got changes nothing'({ store }) {
    const given = { list: [1] };
    await store.set('a', given);
    given.list.push(2);
    const got = (await store.get('a'))?.value;
    assert.deepEqual(got, { list: [1] });
    Object.assign(got as object, { more: true });
    assert.deepEqual((await store.get('a'))?.value, { list: [1] });
  },

  async 'every write makes another version, even of the same value or after a delete'({ store }) {
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 3; round++) {
      seen.add(await store.set('a', 'same'));
      seen.add(await store.set('a', 'same'));
      await store.delete('a');
    }
    assert.equal(seen.size, 6);
    assert.ok(!seen.has(undefined));
  },

  async 'expected: null writes only where nothing is'({ store }) {
    const version = await store.set('a', 1, { expected: null });
    assert.ok(version);
    assert.equal(await store.set('a', 2, { expected: null }), undefined);
    assert.deepEqual(await store.get('a'), { value: 1, version });
    await store.delete('a');
    assert.ok(await store.set('a', 3, { expected: null }));
  },

  async 'an expected version is written over, any other is left'({ store }) {
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

  async 'one of many who write at once over the same version wins'({ store }) {
    for (const expected of [null, await written(store, 'there', 0)]) {
      const key = expected === null ? 'new' : 'there';
      const writes = Array.from({ length: 20 }, (_, by) => store.set(key, by + 1, { expected }));
      const versions = await Promise.all(writes);
      const winner = versions.findIndex((version) => version !== undefined);
      assert.equal(versions.filter((version) => version !== undefined).length, 1);
      assert.deepEqual(await store.get(key), { value: winner + 1, version: versions[winner] });
    }
  },

  async 'no increment is lost among many who retry'({ store }) {
    const increment = async (): Promise<void> => {
      const found = await store.get('count');
      const value = Number(found?.value ?? 0) + 1;
      const options = { expected: found?.version ?? null };
      if ((await store.set('count', value, options)) === undefined) await increment();
    };
    await Promise.all(Array.from({ length: 10 }, increment));
    assert.equal((await store.get('count'))?.value, 10);
  },

  async 'delete takes one key away, and may be repeated'({ store }) {
    await store.set('a', 1);
    await store.set('b', 2);
    await store.delete('a');
    await store.delete('a');
    assert.equal(await store.get('a'), undefined);
    assert.deepEqual(await store.list(''), ['b']);
  },

  async 'a value is gone after its life'({ store, elapse }) {
    const version = await store.set('short', 1, { ttlMs: 1_000 });
    await store.set('long', 1, { ttlMs: 600_000 });
    await store.set('ever', 1, { ttlMs: Infinity });
    assert.deepEqual(await store.get('short'), { value: 1, version });
    await elapse(1_050);
    assert.equal(await store.get('short'), undefined);
    assert.deepEqual((await store.list('')).toSorted(), ['ever', 'long']);
    assert.equal(await store.set('short', 2, { expected: version ?? '' }), undefined);
    assert.ok(await store.set('short', 3, { expected: null }));
  },

  async 'the last write decides on the life'({ store, elapse }) {
    const first = await written(store, 'kept', 1, 1_000);
    await store.set('kept', 2, { expected: first });
    await store.set('plain', 1, { ttlMs: 1_000 });
    await store.set('plain', 2);
    await store.set('dying', 1);
    await store.set('dying', 2, { ttlMs: 1_000 });
    await elapse(1_050);
    assert.deepEqual((await store.list('')).toSorted(), ['kept', 'plain']);
  },

  async 'lists by prefix, whatever characters it holds'({ store }) {
    const groups = ['a%b', 'a_b', 'a*b', 'a?b', 'a[b]', 'a\\b', "a'b", 'a"b', 'A%B', 'a/b', 'äb'];
    const keys = groups.flatMap((group) => [`${group}1`, `${group}2`]);
    keys.push(...groups.map((group) => `in the middle: ${group}`));
    for (const key of keys) await store.set(key, key);
    for (const group of groups) {
      assert.deepEqual((await store.list(group)).toSorted(), [`${group}1`, `${group}2`]);
    }
    assert.deepEqual((await store.list('')).toSorted(), keys.toSorted());
    assert.deepEqual(await store.list('nothing'), []);
  },

  async 'awkward keys are different keys'({ store }) {
    const keys = ['a', 'A', ' a', 'a ', 'a\n', '.', '..', '../a', '/', 'CON', 'é', 'e\u0301', '🐢'];
    keys.push('__proto__', 'constructor', 'x'.repeat(400), '€'.repeat(400), `${'x'.repeat(399)}y`);
    for (const key of keys) await store.set(key, `of ${key}`);
    for (const key of keys) assert.equal((await store.get(key))?.value, `of ${key}`);
    assert.deepEqual((await store.list('')).toSorted(), keys.toSorted());
  },

  async 'refuses wrong keys, values and lives'({ store }) {
    for (const key of ['', 'x'.repeat(401), 'a\0b', 'half \ud800']) {
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

  async 'says so when it was closed, and may be closed twice'({ store }) {
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
 * What every store must do, for any test runner: run each case with a function that opens a fresh,
 * empty store. A case closes the store it opened.
 */
export const storeContract: readonly StoreContractCase[] = Object.entries(cases).map(
  ([name, attempt]) => ({
    name,
    async run(open) {
      const trial = await open();
      try {
        await attempt(trial);
      } finally {
        await trial.store.close();
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
  { deep: { list: [1, [2, { three: null }]], ['__proto__ ']: 1 } },
  'x'.repeat(200_000),
];

async function written(store: Store, key: string, value: JsonValue, ttlMs?: number) {
  const version = await store.set(key, value, ttlMs === undefined ? {} : { ttlMs });
  assert.ok(version, 'an unconditional set returns a version');
  return version;
}

async function refused(attempt: () => Promise<unknown>): Promise<void> {
  const isRefusal = (error: unknown) => error instanceof BotError && error.code === 'store_failed';
  await assert.rejects(attempt, isRefusal, 'rejects with BotError store_failed');
}
