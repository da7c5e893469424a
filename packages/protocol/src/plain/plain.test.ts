import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';

import { api } from '../api/api.ts';
import { ReceivedSlackWebhook, ReceivedWebhook } from '../webhooks/outgoing-webhook.ts';
import { describe } from './describe.ts';
import { shapeReader } from './shape-reader.ts';
import type { Shape } from './shape.ts';

/** Values that fit a shape, and in one of ten places another value. */
function valuesFor(shape: Shape): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(null, undefined, 'x', -1, 1.5, 7n, true, [], [1], {});
  return fc.oneof({ arbitrary: fitting(shape), weight: 9 }, { arbitrary: wrong, weight: 1 });
}

function fitting(shape: Shape): fc.Arbitrary<unknown> {
  if (shape === 'string') return fc.string({ maxLength: 5 });
  if (shape === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (shape === 'int') return fc.integer();
  if (shape === 'boolean') return fc.boolean();
  if (shape === 'unknown') return fc.constantFrom(null, 'x', { a: 1 });
  if ('pattern' in shape) return fc.constantFrom('1', 'C12', 'U12', '1.5', 'C', 'https://x.test');
  if ('oneOf' in shape) return fc.constantFrom(...shape.oneOf);
  if ('renamed' in shape) return fc.constantFrom(...Object.keys(shape.renamed));
  if ('rounded' in shape) return fc.constant(10n ** 16n);
  if ('array' in shape) return fc.array(valuesFor(shape.array), { maxLength: 2 });
  if ('tuple' in shape) return fc.tuple(...shape.tuple.map(valuesFor));
  if ('record' in shape) return fc.dictionary(fc.constantFrom('1', 'a'), valuesFor(shape.record));
  if ('object' in shape) {
    const fields = Object.entries(shape.object).map(([key, one]) => [key, valuesFor(one)]);
    return fc.record({ ...Object.fromEntries(fields), not_in_the_schema: fc.constant(1) });
  }
  if ('union' in shape) return fc.oneof(...shape.union.map(valuesFor));
  if ('nullable' in shape) return fc.option(valuesFor(shape.nullable));
  const inner = 'optional' in shape ? shape.optional : shape.else;
  return fc.option(valuesFor(inner), { nil: undefined });
}

const results = Object.values(api).flatMap(
  (endpoints: Readonly<Record<string, { route: string; result: z.ZodType }>>) =>
    Object.values(endpoints).map(({ route, result }) => [route, result] as const),
);

test.each([
  ...results,
  ['a webhook payload', ReceivedWebhook] as const,
  ['a webhook payload in the Slack-compatible form', ReceivedSlackWebhook] as const,
])('the shape of %s reads the same values as its schema', (_name, schema) => {
  const shape = describe(schema);
  const read = shapeReader(JSON.parse(JSON.stringify(shape)) as Shape);
  const check = (value: unknown) => {
    const [parsed, reading] = [schema.safeParse(value), read(value)];
    // Shapes keep unknown keys, and know neither the bounds of numbers, lengths nor the keys of records.
    if (parsed.success) expect(reading).toMatchObject({ success: true, data: parsed.data });
    else if (!reading.success) expect(reading.path).toBe(reading.path.trim());
    else for (const { code } of flat(parsed.error.issues)) expect(lenient).toContain(code);
  };
  fc.assert(fc.property(valuesFor(shape), check), { numRuns: 20 });
});

const lenient = ['too_big', 'too_small', 'invalid_key', 'invalid_format', 'custom'];

const flat = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  issues.flatMap((issue) => (issue.code === 'invalid_union' ? flat(issue.errors.flat()) : [issue]));

test('a reader fills in a missing value in a copy, and keeps a key that the shape does not name', () => {
  const read = shapeReader({ object: { id: 'int', topic: { missing: '', else: 'string' } } });
  const given = { id: 1, later: true };
  expect(read(given)).toEqual({ success: true, data: { id: 1, topic: '', later: true } });
  expect(given).toEqual({ id: 1, later: true });
});

test('a shape names the path of a part that does not fit', () => {
  const read = shapeReader({ object: { messages: { array: { object: { id: 'int' } } } } });
  const reading = read({ messages: [{ id: 1 }, { id: '2' }] });
  expect(reading).toEqual({ success: false, path: 'messages.1.id' });
});
