import type { z } from 'zod';

import type { UserId } from '../values/ids.ts';

/** The schema of one type of event. */
export type EventSchema = z.ZodType<{ readonly type: string }>;
/** The `type` of the events of a schema: `message`. */
export type TypeOf<Schema extends EventSchema> = z.output<Schema>['type'];

/** The user whose state is kept, and how it was requested. */
export interface StateOwner {
  readonly user_id: UserId;
  /** As sent to `POST /register`: whether channel records list their subscribers. */
  readonly include_subscribers?: boolean | 'partial';
}

/**
 * Returns the state after an event. Does not modify the state that it is given, and adds no key
 * that was not fetched.
 */
export type Apply<State, Event> = (state: State, event: Event, owner: StateOwner) => State;

/** A type of event, and how it changes the state of `POST /register`. */
export interface EventDefinition<Schema extends EventSchema = EventSchema> {
  readonly type: TypeOf<Schema>;
  readonly schema: Schema;
  /** Undefined if the event changes no state. */
  readonly apply: ((state: never, event: never, owner: StateOwner) => unknown) | undefined;
  /** Undefined if every event of the type is delivered by itself. */
  readonly merge: ((earlier: never, later: never) => unknown) | undefined;
}

/**
 * Merges two events that follow each other in a queue into one; undefined if both are delivered.
 */
export type Merge<Event> = (earlier: Event, later: Event) => Event | undefined;

/**
 * Declares a type of event. `apply` keeps the state of the same resource up to date, `merge` joins
 * events that wait in a queue.
 */
export const event = <Schema extends EventSchema, State>(
  schema: Schema,
  apply: Apply<State, z.output<Schema>> | 'changes no state',
  merge?: Merge<z.output<Schema>>,
): EventDefinition<Schema> => ({
  type: eventType(schema),
  schema,
  apply: apply === 'changes no state' ? undefined : apply,
  merge,
});

/** Returns the `type` of a schema: of an object, or of a union of objects with the same type. */
export function eventType<Schema extends EventSchema>(schema: Schema): TypeOf<Schema> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return eventType(def.options[0] as unknown as Schema);
  const literal = def.type === 'object' ? (def.shape['type'] as z.core.$ZodTypes) : undefined;
  if (literal?._zod.def.type !== 'literal') throw new Error('An event needs a literal `type`');
  return literal._zod.def.values[0] as TypeOf<Schema>;
}
