import { expect, test } from 'vitest';
import { z } from 'zod';

import { unknownKeys } from './unknown-keys.fixture.ts';

const schema = z.object({
  known: z.int().optional(),
  list: z.array(z.object({ a: z.int() })).default([]),
  map: z.record(z.string(), z.object({ a: z.int() })).nullable(),
  either: z.union([z.int(), z.object({ a: z.int() }), z.object({ a: z.int(), b: z.int() })]),
  loose: z.looseObject({}),
  pair: z.tuple([z.string(), z.object({})]),
});
const value = {
  known: 1,
  list: [{ a: 1 }],
  map: { x: { a: 1 } },
  either: { a: 1, b: 2 },
  loose: { anything: 1 },
  pair: ['x', {}],
};

test('unknownKeys returns nothing for a value that matches its schema', () => {
  expect(unknownKeys(schema, value)).toEqual([]);
  expect(unknownKeys(schema, { ...value, either: 5, map: null })).toEqual([]);
});

test('unknownKeys returns the path of each undeclared key in objects, lists, maps, tuples and unions', () => {
  const more = { a: 1, more: 2 };
  const odd = { odd: 1, ...value, list: [more], map: { x: more }, pair: ['x', { more: 1 }] };
  expect(unknownKeys(schema, odd)).toEqual(['odd', 'list[0].more', 'map.x.more', 'pair[1].more']);
  expect(unknownKeys(schema, { ...value, either: { a: 1, b: 2, c: 3 } })).toEqual(['either.c']);
});
