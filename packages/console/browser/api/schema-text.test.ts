import { expect, test } from 'vitest';

import { fieldOf, limitText, typeText } from './schema-text.ts';

test('typeText names the type of a value', () => {
  expect(typeText({ type: 'array', items: { type: 'integer' } })).toBe('list of integer');
  expect(typeText({ enum: ['direct', 'channel'] })).toBe('"direct" or "channel"');
  expect(typeText({ anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Bot' }] })).toBe(
    'string or Bot',
  );
  expect(typeText({ type: 'object', properties: { a: {}, b: {} } })).toBe('object {a, b}');
});

test('limitText names the limits of a value, except those of the number format', () => {
  expect(limitText({ type: 'integer', minimum: 0, maximum: 2 ** 53 - 1 })).toBe('at least 0');
  expect(limitText({ type: 'string', maxLength: 1000 })).toBe('at most 1,000 characters');
  expect(limitText({ type: 'string' })).toBe('');
});

test('fieldOf chooses the form field for each kind of value', () => {
  expect(fieldOf({ type: 'boolean' })).toEqual({ kind: 'choice', choices: ['true', 'false'] });
  expect(fieldOf({ anyOf: [{ const: 100 }, { const: 200 }] })).toEqual({
    kind: 'choice',
    choices: ['100', '200'],
  });
  expect(fieldOf({ type: 'integer' })).toEqual({ kind: 'number' });
  expect(fieldOf({ type: 'string', maxLength: 5 })).toEqual({ kind: 'text' });
  expect(fieldOf({ anyOf: [{ type: 'string' }, { type: 'integer' }] })).toEqual({ kind: 'json' });
  expect(fieldOf({ type: 'array' })).toEqual({ kind: 'json' });
});
