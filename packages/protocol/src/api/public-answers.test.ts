import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

import { publicNames } from '../values/public-names.ts';
import { api } from './api.ts';
import { events, type EventType } from './events.ts';
import { isPublicClient, publicAnswer, publicEvent } from './public-answers.ts';

const names: readonly unknown[] = Object.values(publicNames).flatMap((one) => Object.keys(one));

/** A value with all parts of a schema; a part that may have a value with a public name has one. */
function fullValue(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'literal':
      return def.values[0];
    case 'enum':
      return Object.values(def.entries).find((value) => names.includes(value));
    case 'array':
      return [fullValue(def.element)];
    case 'record':
      return { 7: fullValue(def.valueType) };
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, value]) => [key, fullValue(value)]);
      return Object.fromEntries(fields);
    }
    case 'union':
      return def.options.map(fullValue).find((value) => namesIn(value).length > 0);
    case 'optional':
    case 'nullable':
    case 'default':
      return fullValue(def.innerType);
    case 'pipe':
      return fullValue(def.out) ?? fullValue(def.in);
    default:
      return undefined;
  }
}

const namesIn = (value: unknown) => {
  const text = JSON.stringify(value ?? null);
  return names.filter((name) => text.includes(`"${String(name)}"`));
};

const answers = Object.values(api).flatMap(
  (endpoints: Readonly<Record<string, { route: string; result: z.ZodType }>>) =>
    Object.values(endpoints).map(({ route, result }) => [route, fullValue(result)] as const),
);
const eventsByType = Object.entries(events).map(
  ([type, { schema }]) => [type as EventType, fullValue(schema)] as const,
);
const withNames = <Name extends string>(all: readonly (readonly [Name, unknown])[]) =>
  all.filter(([, one]) => namesIn(one).length > 0) as [Name, object][];

test('the contract says where values are that public clients name otherwise', () => {
  expect(withNames([...answers, ...eventsByType]).map(([name]) => name)).toEqual([
    'GET /messages',
    'GET /messages/{message_id}',
    'POST /register',
    'GET /users/{user_id}/status',
    'message',
    'reaction',
    'user_status',
  ]);
});

describe('public clients get no name that only the specification has', () => {
  test.each(withNames(answers))('in %s', (route, answer) => {
    expect(namesIn(publicAnswer(route)?.(answer) ?? answer)).toEqual([]);
  });
  test.each(withNames(eventsByType))('in %s events', (type, event) => {
    expect(namesIn(publicEvent(type, event))).toEqual([]);
  });
});

test('an event without such a value is not copied', () => {
  const message = { id: 1, reactions: [{ reaction_type: 'unicode_emoji' }] };
  for (const event of [
    { type: 'message', message },
    { type: 'reaction', reaction_type: 'realm_emoji' },
    { type: 'user_settings', property: 'timezone', value: 'google' },
    { type: 'typing' },
  ] as const)
    expect(publicEvent(event.type, event)).toBe(event);
});

test.each([
  ['ZulipFlutter', true],
  ['go-zulip', true],
  ['zulipchat-mcp', true],
  ['BellhopBot', false],
  ['Mozilla', false],
  ['node', false],
  ['Unspecified', false],
])('a client %s is public: %s', (name, isPublic) => {
  expect(isPublicClient(name)).toBe(isPublic);
});
