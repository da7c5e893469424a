import { z } from 'zod';

import type { Endpoint } from '../wire/endpoint.ts';
import type { EventDefinition } from '../wire/event.ts';
import { type Contracts, contracts } from './api.ts';

/** The declaration of any event. */
export type AnyEventDefinition = Contracts[keyof Contracts]['events'][number];

/** An event of any type, without its ID. */
export type Event = z.output<AnyEventDefinition['schema']>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
/** An event as a queue delivers it. The IDs of one queue increase, with gaps. */
export type QueuedEvent = Event & { readonly id: number };
/** The types of events that an endpoint may send. */
export type EmitsOf<E extends Endpoint> = E['emits'][number] & EventType;

const definitions: readonly EventDefinition[][] = Object.values(contracts).map(
  ({ events: all }) => [...all],
);
/** The declaration of each type of event. */
export const events = byType(definitions.flat());
export const Event = z.union(
  Object.values(events).map(({ schema }) => schema as AnyEventDefinition['schema']),
);

function byType(
  definitions: readonly EventDefinition[],
): Readonly<Record<EventType, EventDefinition>> {
  const found = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    if (found.has(definition.type)) throw new Error(`${definition.type} events are declared twice`);
    found.set(definition.type, definition);
  }
  return Object.fromEntries(found) as Record<EventType, EventDefinition>;
}

/** Older names of event types that clients still request. */
const olderNames: Readonly<Partial<Record<EventType, string>>> = {
  user_group: 'realm_user_groups',
  user_topic: 'muted_topics',
};

const requestable = new Set([...Object.keys(events), ...Object.values(olderNames)]);

/** The names among these that are a type of event. */
export const knownEventTypes = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => requestable.has(name));

/** Whether a queue gets events of this type. `requested` is null for a queue of all types. */
export function isRequestedType(type: EventType, requested: readonly string[] | null): boolean {
  if (requested === null || requested.includes(type)) return true;
  const olderName = olderNames[type];
  return olderName !== undefined && requested.includes(olderName);
}
