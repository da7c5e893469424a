import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import { api } from '../api/api.ts';
import type { EmitsOf, EventOf } from '../api/events.ts';
import { type InitialState, InitialState as InitialStateSchema } from '../api/initial-state.ts';
import { MessageEvent } from '../chat/messages/message-events.ts';
import { TypingEvent } from '../chat/typing.ts';
import { ChannelId, type MessageId, UserId } from '../values/ids.ts';
import { type AskOf, type Endpoint, endpoint, type ParamsOf, type ResultOf } from './endpoint.ts';
import { event, eventType } from './event.ts';
import type { Permission } from './permission.ts';
import { resource, section, stateSchema } from './resource.ts';

const example = endpoint('POST /examples', {
  summary: 'Make an example',
  access: 'user',
  params: { name: z.string(), count: z.int().default(1) },
  result: { id: UserId },
  errors: ['NOT_FOUND'],
  emits: [MessageEvent, TypingEvent],
});

describe('an endpoint', () => {
  test('gives handlers parameters with their defaults, and callers may omit those', () => {
    expectTypeOf<ParamsOf<typeof example>>().toEqualTypeOf<{ name: string; count: number }>();
    expectTypeOf<AskOf<typeof example>>().toEqualTypeOf<{
      name: string;
      count?: number | undefined;
    }>();
    expectTypeOf<ResultOf<typeof example>>().toEqualTypeOf<{ id: UserId }>();
  });

  test('names the events it sends by their schemas, of events that a resource lists', () => {
    expect(example.emits).toEqual(['message', 'typing']);
    expectTypeOf<EmitsOf<typeof example>>().toEqualTypeOf<'message' | 'typing'>();
    const Unlisted = z.object({ type: z.literal('unlisted') });
    const sending = endpoint('POST /x', { summary: 'x', access: 'user', emits: [Unlisted] });
    expectTypeOf<EmitsOf<typeof sending>>().toBeNever();
    // @ts-expect-error The events are schemas, not names.
    void (() => endpoint('GET /x', { summary: 'x', access: 'user', emits: ['message'] }));
    // @ts-expect-error This schema has no type.
    void (() => endpoint('GET /x', { summary: 'x', access: 'user', emits: [UserId] }));
  });

  test('gives feature levels only to parameters that it has', () => {
    const params = { name: z.string() };
    const rest = { summary: 'x', access: 'user', params } as const;
    expect(endpoint('GET /x', { ...rest, paramsSince: { name: 7 } }).paramsSince).toEqual({
      name: 7,
    });
    // @ts-expect-error There is no such parameter.
    void (() => endpoint('GET /x', { ...rest, paramsSince: { title: 7 } }));
  });

  test('locks the realm if only a role may call it, or if it says so', () => {
    const rest = { summary: 'x' } as const;
    const ofAdmins = endpoint('POST /x', { ...rest, access: 'admin' });
    const saying = endpoint('POST /x', { ...rest, access: 'user', locks: 'realm' });
    expectTypeOf<[typeof ofAdmins.locks, typeof saying.locks]>().toEqualTypeOf<
      ['realm', 'realm']
    >();
    expectTypeOf(example.locks).toEqualTypeOf<'nothing'>();
    expect([ofAdmins.locks, saying.locks, example.locks]).toEqual(['realm', 'realm', 'nothing']);
  });

  test.each([
    ['a role', 'admin'],
    ['a setting of the realm', 'realm.can_create_groups'],
    ['a setting of a channel', 'channel.can_subscribe_group'],
    ['a setting of a group', 'group.can_join_group'],
  ] as const)('must say what it locks if %s gives a permission', (_, grant) => {
    const permissions: Permission[] = [{ to: 'do it', grants: ['own', grant] }];
    const rest = {
      summary: 'x',
      access: 'user',
      permissions,
      params: { name: z.string() },
    } as const;
    expect(() => endpoint('POST /x', rest)).toThrow('POST /x does not say what it locks');
    expect(endpoint('GET /x', rest).locks).toBe('nothing');
    expect(endpoint('POST /x', { ...rest, locks: 'nothing' }).locks).toBe('nothing');
    expect(endpoint('POST /x', { ...rest, locksFor: ['name'] }).locksFor).toEqual(['name']);
    // @ts-expect-error There is no such parameter.
    void (() => endpoint('POST /x', { ...rest, locksFor: ['title'] }));
  });

  test('an endpoint that many people call at once locks nothing', () => {
    const { messages, reactions, typing, drafts, presence } = api;
    const { send, setFlag, setFlagInNarrow, remove } = messages;
    const frequent: Readonly<Record<string, Endpoint>>[] = [
      { send, setFlag, setFlagInNarrow, remove },
      reactions,
      typing,
      drafts,
      presence,
    ];
    const locking = frequent
      .flatMap((endpoints) => Object.values(endpoints))
      .filter(({ locks, locksFor }) => locks !== 'nothing' || locksFor.length > 0);
    expect(locking).toEqual([]);
  });

  test('lists only errors of the table', () => {
    // @ts-expect-error There is no such error.
    void (() => endpoint('GET /x', { summary: 'x', access: 'user', errors: ['NO_SUCH_CODE'] }));
  });
});

describe('an event', () => {
  const ExampleEvent = z.discriminatedUnion('op', [
    z.object({ type: z.literal('example'), op: z.literal('add') }),
    z.object({ type: z.literal('example'), op: z.literal('remove') }),
  ]);

  test('has the type of its schema, also of a union', () => {
    expect(eventType(ExampleEvent)).toBe('example');
    expectTypeOf(eventType(ExampleEvent)).toEqualTypeOf<'example'>();
    expect(() => eventType(z.object({ type: z.string() }))).toThrow('literal `type`');
  });

  test('must declare how it changes the state, or that it does not', () => {
    expect(event(ExampleEvent, 'changes no state').apply).toBeUndefined();
    // @ts-expect-error The second parameter is missing.
    void (() => event(ExampleEvent));
    const applyMessage = (state: object, message: EventOf<'message'>) => ({ ...state, message });
    // @ts-expect-error The function takes another event.
    void (() => event(ExampleEvent, applyMessage));
  });
});

describe('sections', () => {
  test('together form a state with optional keys', () => {
    expectTypeOf<InitialState['max_message_id']>().toEqualTypeOf<MessageId | -1 | undefined>();
    expectTypeOf<InitialState['starred_messages']>().toEqualTypeOf<MessageId[] | undefined>();
    expect(InitialStateSchema.parse({})).toEqual({});
  });

  test('must not have a key in common', () => {
    const one = section({ drafts: z.array(z.string()) });
    expect(() => stateSchema([one, one])).toThrow(
      'Two sections of the initial state have the key drafts',
    );
  });

  test('are for logged-in users by default', () => {
    const { state } = resource({ state: { drafts: section({ drafts: z.array(z.string()) }) } });
    expect(state.drafts).toMatchObject({ access: 'user', always: false });
  });
});

test('an ID of one kind cannot be passed for another', () => {
  // @ts-expect-error A channel is no user.
  const user: UserId = ChannelId.parse(1);
  expect(user).toBe(1);
});
