import type { z } from 'zod';

import type { UserId } from './ids.ts';

/** The schema of one type of event. */
export type EventSchema = z.ZodType<{ readonly type: string }>;
/** The type that the events of a schema carry: `message`. */
export type TypeOf<Schema extends EventSchema> = z.output<Schema>['type'];

/** Whose state events are applied to, and how it was asked for. */
export interface StateOwner {
  readonly user_id: UserId;
  /** As given to `/register`; whether channel records list their subscribers. */
  readonly include_subscribers?: boolean | 'partial';
}

/**
 * The parts of the initial state that it is given, after an event. Pure: what changes is a new
 * object, and a part that was not fetched stays away.
 */
export type Apply<State, Event> = (state: State, event: Event, owner: StateOwner) => State;

/** A type of event, and how the state of `/register` follows from it. */
export interface EventDefinition<Schema extends EventSchema = EventSchema> {
  readonly type: TypeOf<Schema>;
  readonly schema: Schema;
  /** Undefined where the event changes no state. */
  readonly apply: ((state: never, event: never, owner: StateOwner) => unknown) | undefined;
}

/** Declares a type of event: `apply` keeps the initial state of the same resource up to date. */
export const event = <Schema extends EventSchema, State>(
  schema: Schema,
  apply: Apply<State, z.output<Schema>> | 'changes no state',
): EventDefinition<Schema> => ({
  type: eventType(schema),
  schema,
  apply: apply === 'changes no state' ? undefined : apply,
});

/** The type that the events of a schema carry: an object, or a union of objects of one type. */
export function eventType<Schema extends EventSchema>(schema: Schema): TypeOf<Schema> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return eventType(def.options[0] as unknown as Schema);
  const literal = def.type === 'object' ? (def.shape['type'] as z.core.$ZodTypes) : undefined;
  if (literal?._zod.def.type !== 'literal') throw new Error('An event needs a literal `type`');
  return literal._zod.def.values[0] as TypeOf<Schema>;
}
