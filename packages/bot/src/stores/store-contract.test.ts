import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.ts';
import type { Stored, Store } from './store.ts';

/** The cases that a store fails. */
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
  ['writes over anything', (sound) => ({ set: (k, v, o) => sound.set(k, v, life(o)) }), /expected/],
  [
    'compares, waits, and then writes',
    (sound) => ({
      async set(key, value, { expected, ...options } = {}) {
        const found = (await sound.get(key))?.version ?? null;
        if (expected !== undefined && expected !== found) return undefined;
        await new Promise(setImmediate);
        return await sound.set(key, value, options);
      },
    }),
    /one of many/,
  ],
  [
    'has the same version for the same value',
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
    /another version/,
  ],
  [
    'keeps everything for good',
    (sound) => ({ set: (k, v, o) => sound.set(k, v, sure(o)) }),
    /life/,
  ],
  ['lists what contains it', (sound) => ({ list: containing(sound) }), /prefix/],
  ['lists in capitals or not', (sound) => ({ list: ignoringCase(sound) }), /prefix/],
  [
    'folds keys',
    (sound) => ({
      get: (key) => sound.get(key.toLowerCase()),
      set: (key, value, options) => sound.set(key.toLowerCase(), value, options),
    }),
    /awkward/,
  ],
  ['hands out what it keeps', () => sharing(), /keeps a copy/],
  ['deletes nothing', () => ({ delete: async () => {} }), /delete/],
  ['works on after close', () => ({ close: async () => {} }), /closed/],
  [
    'takes any key',
    (sound) => ({ get: (key) => sound.get(key).catch(() => undefined) }),
    /refuses/,
  ],
  [
    'fails in its own words',
    (sound) => ({
      get: (key) =>
        sound.get(key).catch((error: BotError) => Promise.reject(new Error(error.message))),
    }),
    /refuses/,
  ],
])('a store that %s is found out', async (_, faulty, name) => {
  expect(await failures(faulty)).toContainEqual(expect.stringMatching(name));
});

type Options = Parameters<Store['set']>[2];
const life = (options: Options) => (options?.ttlMs === undefined ? {} : { ttlMs: options.ttlMs });
const sure = (options: Options) =>
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
