import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import type { Place } from './scope-key.ts';
import { type InvalidSession, sessions } from './sessions.ts';

let time = 0;
let memory: Store;
let writes = 0;
let store: Store;
beforeEach(() => {
  memory = memoryStore({ now: () => time });
  writes = 0;
  store = { ...memory, set: (...entry) => (writes++, memory.set(...entry)) };
});

const place: Place = { bot_email: 'poll-bot@chat.test', conversation: '7:lunch', sender_id: 9 };
const counting = () => sessions({ scope: 'user', initial: () => ({ count: 0 }), store });

test('what is changed is there at the next load; what is not changed is not written', async () => {
  const counts = counting();
  const key = counts.key(place);
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
  expect((await counts.load(counts.key({ ...place, sender_id: 10 }))).value).toEqual({ count: 0 });
});

test('whoever saves second over the same version is told', async () => {
  const counts = counting();
  const [one, two] = await Promise.all([counts.load('k'), counts.load('k')]);
  one.value.count = 1;
  two.value.count = 2;
  await one.save();
  await expect(two.save()).rejects.toMatchObject({ code: 'session_conflict' });
  expect((await counts.load('k')).value).toEqual({ count: 1 });
  one.value.count = 3;
  await one.save();
  await counts.clear('k');
  one.value.count = 4;
  await expect(one.save()).rejects.toMatchObject({ code: 'session_conflict' });
});

test('saving twice at once is no conflict with oneself', async () => {
  const session = await counting().load('k');
  session.value.count = 1;
  expect(await Promise.all([session.save(), session.save()])).toEqual([true, false]);
});

test('update loses nothing among many, by change in place or by return', async () => {
  const counts = counting();
  const values = await Promise.all(
    Array.from({ length: 20 }, (_, by) =>
      counts.update('k', (value) => {
        if (by % 2 === 0) return { count: value.count + 1 };
        value.count += 1;
        return undefined;
      }),
    ),
  );
  expect((await counts.load('k')).value).toEqual({ count: 20 });
  expect(values.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test('update passes on what its function throws, and gives up in the end', async () => {
  const counts = counting();
  await expect(
    counts.update('k', () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  const busy = sessions({
    scope: 'bot',
    initial: () => ({ count: 0 }),
    store: { ...memory, set: () => Promise.resolve(undefined) },
  });
  await expect(busy.update('k', (value) => void value.count++)).rejects.toMatchObject({
    code: 'session_conflict',
  });
});

test('a session lives ttlMs after its last change', async () => {
  const counts = sessions({ scope: 'bot', initial: () => 0, store, ttlMs: 100 });
  await counts.update('k', (count) => count + 1);
  time += 99;
  await counts.update('k', (count) => count + 1);
  time += 99;
  expect((await counts.load('k')).value).toBe(2);
  time += 1;
  expect((await counts.load('k')).value).toBe(0);
});

test('two sessions do not share what initial returns', async () => {
  const shared = { list: [] as string[] };
  const lists = sessions({ scope: 'user', initial: () => shared, store });
  const one = await lists.load('one');
  one.value.list.push('a');
  expect((await lists.load('two')).value).toEqual({ list: [] });
});

test('what is not JSON is refused, by place', async () => {
  const dates = sessions({ scope: 'bot', initial: () => ({ since: new Date(0) }), store });
  await expect(dates.load('k')).rejects.toThrow('value.since is a Date');
  const loose = sessions({ scope: 'bot', initial: (): unknown => ({}), store });
  const session = await loose.load('k');
  session.value = { seen: new Set() };
  await expect(session.save()).rejects.toThrow('value.seen is a Set');
});

const Version2 = z.object({ count: z.number(), names: z.array(z.string()).default([]) });

test('a schema upgrades what an older version stored, and the upgrade is kept', async () => {
  await counting().update('k', () => ({ count: 3 }));
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

test('what the schema refuses begins anew, and is reported', async () => {
  await memory.set('k', { count: 'three' });
  const reported: InvalidSession[] = [];
  const newer = sessions({
    scope: 'user',
    initial: () => ({ count: 0, names: ['new'] }),
    store,
    schema: Version2,
    onInvalid: (invalid) => reported.push(invalid),
  });
  const session = await newer.load('k');
  expect(session.value).toEqual({ count: 0, names: ['new'] });
  await session.save();
  await newer.load('k');
  expect(reported).toEqual([
    { key: 'k', problems: ['count: Invalid input: expected number, received string'] },
  ]);
});

test('sessions of other names or scopes are apart', () => {
  const options = { initial: () => 0, store };
  const keys = [
    sessions({ scope: 'user', ...options }),
    sessions({ scope: 'user', name: 'votes', ...options }),
    sessions({ scope: 'bot', ...options }),
  ].map((of) => of.key(place));
  expect(new Set(keys).size).toBe(3);
});

test('types come from initial, or from the schema', async () => {
  expectTypeOf((await counting().load('k')).value).toEqualTypeOf<{ count: number }>();
  const typed = sessions({
    scope: 'bot',
    schema: Version2,
    initial: () => ({ count: 0, names: [] }),
    store,
  });
  expectTypeOf((await typed.load('k')).value).toEqualTypeOf<z.infer<typeof Version2>>();
  sessions({
    scope: (at: Place & { readonly team: string }) => {
      expectTypeOf(at.team).toBeString();
      return at.team;
    },
    initial: () => 0,
    store,
  });
});
