import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.ts';
import type { Stored, Store } from './store.ts';

/** The names of the cases that a memoryStore with faulty methods fails. */
async function failures(faulty: (sound: Store) => Partial<Store>): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of storeContract) {
    let time = 0;
    const sound = memoryStore({ now: () => time });
    const store = { ...sound, ...faulty(sound) };
    const elapse = async (ms: number) => void (time += ms);
    await run(async () => ({ store, elapse })).catch(() => failed.push(name));
  }
  return failed;
}

test('memoryStore passes every case of storeContract', async () => {
  expect(await failures(() => ({}))).toEqual([]);
});

test.each<[string, (sound: Store) => Partial<Store>, RegExp]>([
  [
    'ignores `expected`',
    (sound) => ({ set: (k, v, o) => sound.set(k, v, onlyTtl(o)) }),
    /expected version writes only/,
  ],
  [
    'compares and writes in two steps',
    (sound) => ({
      async set(key, value, { expected, ...options } = {}) {
        const found = (await sound.get(key))?.version ?? null;
        if (expected !== undefined && expected !== found) return undefined;
        await new Promise(setImmediate);
        return await sound.set(key, value, options);
      },
    }),
    /concurrent writes/,
  ],
  [
    'gives equal values the same version',
    (sound) => ({
      async set(key, value, options) {
        const version = await sound.set(key, value, options);
        return version && JSON.stringify(value);
      },
      async get(key) {
        const found = await sound.get(key);
        return found && { ...found, version: JSON.stringify(found.value) };
      },
    }),
    /a new version/,
  ],
  [
    'ignores `ttlMs`',
    (sound) => ({ set: (k, v, o) => sound.set(k, v, onlyExpected(o)) }),
    /expires after ttlMs/,
  ],
  [
    'lists keys that contain the prefix elsewhere',
    (sound) => ({ list: containing(sound) }),
    /prefix/,
  ],
  ['ignores letter case in list', (sound) => ({ list: ignoringCase(sound) }), /prefix/],
  [
    'ignores letter case in keys',
    (sound) => ({
      get: (key) => sound.get(key.toLowerCase()),
      set: (key, value, options) => sound.set(key.toLowerCase(), value, options),
    }),
    /differ only in case/,
  ],
  ['stores objects without copying them', () => sharing(), /does not change the stored value/],
  ['ignores delete', () => ({ delete: async () => {} }), /delete removes/],
  ['works after close', () => ({ close: async () => {} }), /after close/],
  [
    'accepts any key in get',
    (sound) => ({ get: (key) => sound.get(key).catch(() => undefined) }),
    /invalid keys/,
  ],
  [
    'rejects with an error that is not a BotError',
    (sound) => ({
      get: (key) =>
        sound.get(key).catch((error: BotError) => Promise.reject(new Error(error.message))),
    }),
    /invalid keys/,
  ],
])('storeContract fails a store that %s', async (_, faulty, caseName) => {
  expect(await failures(faulty)).toContainEqual(expect.stringMatching(caseName));
});

/** The names of the cases that a store for several processes fails. */
async function failuresOfTwo(other: (storage: Map<string, Stored>) => Store): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of storeContract) {
    const storage = new Map<string, Stored>();
    const open = async () => ({
      store: sharedStore(storage),
      other: other(storage),
      elapse: async () => {},
    });
    await run(open).catch(() => failed.push(name));
  }
  return failed.filter((name) => /process/.test(name));
}

/** A process with a store on shared data. It compares in one step, or in two. */
function sharedStore(storage: Map<string, Stored>, { steps = 1 } = {}): Store {
  const sound = memoryStore();
  return {
    ...sound,
    singleProcess: false,
    get: async (key) => storage.get(key),
    async set(key, value, { expected } = {}) {
      const found = storage.get(key)?.version ?? null;
      if (steps === 2) await new Promise(setImmediate);
      if (expected !== undefined && expected !== found) return undefined;
      const version = String(Math.random());
      storage.set(key, { value, version });
      return version;
    },
    delete: async (key) => void storage.delete(key),
    list: async () => [...storage.keys()],
  };
}

test('storeContract fails a store for several processes that compares versions in two steps', async () => {
  const twoSteps = (storage: Map<string, Stored>) => sharedStore(storage, { steps: 2 });
  expect(await failuresOfTwo(twoSteps)).toContainEqual(expect.stringMatching(/two processes/));
  const cached = () => sharedStore(new Map());
  expect(await failuresOfTwo(cached)).toContainEqual(expect.stringMatching(/sees at once/));
});

test('storeContract fails a store that is not `singleProcess` and tested without `other`', async () => {
  const shared = () => ({ singleProcess: false });
  expect(await failures(shared)).toContainEqual(expect.stringMatching(/two processes/));
});

type Options = Parameters<Store['set']>[2];
const onlyTtl = (options: Options) =>
  options?.ttlMs === undefined ? {} : { ttlMs: options.ttlMs };
const onlyExpected = (options: Options) =>
  options?.expected === undefined ? {} : { expected: options.expected };

const containing = (sound: Store) => async (part: string) =>
  (await sound.list('')).filter((key) => key.includes(part));
const ignoringCase = (sound: Store) => async (prefix: string) =>
  (await sound.list('')).filter((key) => key.toLowerCase().startsWith(prefix.toLowerCase()));

function sharing(): Partial<Store> {
  const values = new Map<string, Stored>();
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      values.set(key, { value, version: String(Math.random()) });
      return values.get(key)?.version;
    },
  };
}
