import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import type { Warn } from '../hooks.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import type { MessageOrigin } from './scope-key.ts';
import { sessions } from './sessions.ts';

let time = 0;
let memory: Store;
let writes = 0;
let store: Store;
beforeEach(() => {
  memory = memoryStore({ now: () => time });
  writes = 0;
  store = { ...memory, set: (...entry) => (writes++, memory.set(...entry)) };
});

const origin: MessageOrigin = {
  botEmail: 'poll-bot@chat.test',
  conversation: '7:lunch',
  senderId: 9,
};
const counting = () => sessions({ scope: 'user', initial: () => ({ count: 0 }), store });

test('a session is saved only if its value changed', async () => {
  const counts = counting();
  const key = counts.key(origin);
  const first = await counts.load(key);
  expect(first.value).toEqual({ count: 0 });
  expect(await first.save()).toBe(false);
  first.value.count += 1;
  expect(await first.save()).toBe(true);
  expect(await first.save()).toBe(false);
  const second = await counts.load(key);
  expect(second.value).toEqual({ count: 1 });
  expect(await second.save()).toBe(false);
  expect(writes).toBe(1);
  second.value = { count: 7 };
  await second.save();
  expect((await counts.load(key)).value).toEqual({ count: 7 });
  expect((await counts.load(counts.key({ ...origin, senderId: 10 }))).value).toEqual({ count: 0 });
});

test('the second save over the same version rejects with session_conflict', async () => {
  const counts = counting();
  const [one, two] = await Promise.all([counts.load('k'), counts.load('k')]);
  one.value.count = 1;
  two.value.count = 2;
  await one.save();
  await expect(two.save()).rejects.toMatchObject({ code: 'session_conflict' });
  expect((await counts.load('k')).value).toEqual({ count: 1 });
  one.value.count = 3;
  await one.save();
  await store.delete('k');
  one.value.count = 4;
  await expect(one.save()).rejects.toMatchObject({ code: 'session_conflict' });
});

test('two saves of one session at the same time do not conflict', async () => {
  const session = await counting().load('k');
  session.value.count = 1;
  expect(await Promise.all([session.save(), session.save()])).toEqual([true, false]);
});

test('a session expires ttlMs after its last change', async () => {
  const counts = sessions({ scope: 'bot', initial: () => 0, store, ttlMs: 100 });
  const first = await counts.load('k');
  first.value = 1;
  await first.save();
  time += 99;
  const second = await counts.load('k');
  second.value += 1;
  await second.save();
  time += 99;
  expect((await counts.load('k')).value).toBe(2);
  time += 1;
  expect((await counts.load('k')).value).toBe(0);
});

test('two sessions do not share the object that initial returns', async () => {
  const shared = { list: [] as string[] };
  const lists = sessions({ scope: 'user', initial: () => shared, store });
  const one = await lists.load('one');
  one.value.list.push('a');
  expect((await lists.load('two')).value).toEqual({ list: [] });
});

test('load and save reject a value that is not JSON, and name its path', async () => {
  const dates = sessions({ scope: 'bot', initial: () => ({ since: new Date(0) }), store });
  await expect(dates.load('k')).rejects.toThrow('value.since is a Date');
  const loose = sessions({ scope: 'bot', initial: (): unknown => ({}), store });
  const session = await loose.load('k');
  session.value = { seen: new Set() };
  await expect(session.save()).rejects.toThrow('value.seen is a Set');
});

const Version2 = z.object({ count: z.number(), names: z.array(z.string()).default([]) });

test('a schema upgrades a stored value, and the upgrade is saved', async () => {
  await memory.set('k', { count: 3 });
  const newer = sessions({
    scope: 'user',
    initial: () => ({ count: 0, names: ['new'] }),
    store,
    schema: Version2,
  });
  const session = await newer.load('k');
  expect(session.value).toEqual({ count: 3, names: [] });
  expect(await session.save()).toBe(true);
  expect((await memory.get('k'))?.value).toEqual({ count: 3, names: [] });
});

test('a session that the schema refuses starts again with initial and is reported', async () => {
  await memory.set('k', { count: 'three' });
  const reported: string[] = [];
  const warn: Warn = (code, message) => void reported.push(`${code}: ${message}`);
  const newer = sessions({
    scope: 'user',
    initial: () => ({ count: 0, names: ['new'] }),
    store,
    schema: Version2,
  });
  const session = await newer.load('k', warn);
  expect(session.value).toEqual({ count: 0, names: ['new'] });
  await session.save();
  await newer.load('k', warn);
  expect(reported).toEqual([
    'stored_state_dropped: A session did not fit its schema, and begins anew: count: Invalid input: expected number, received string',
  ]);
});

test('sessions with different names or scopes have different keys', () => {
  const options = { initial: () => 0, store };
  const keys = [
    sessions({ scope: 'user', ...options }),
    sessions({ scope: 'user', name: 'votes', ...options }),
    sessions({ scope: 'bot', ...options }),
  ].map((of) => of.key(origin));
  expect(new Set(keys).size).toBe(3);
});

test('the type of a session is that of initial or of the schema', async () => {
  expectTypeOf((await counting().load('k')).value).toEqualTypeOf<{ count: number }>();
  const typed = sessions({
    scope: 'bot',
    schema: Version2,
    initial: () => ({ count: 0, names: [] }),
    store,
  });
  expectTypeOf((await typed.load('k')).value).toEqualTypeOf<z.infer<typeof Version2>>();
  sessions({
    scope: (at: MessageOrigin & { readonly team: string }) => {
      expectTypeOf(at.team).toBeString();
      return at.team;
    },
    initial: () => 0,
    store,
  });
});
