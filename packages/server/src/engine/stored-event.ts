import type { ClientCapabilities, EventOf, EventType, NarrowTerm, UserId } from '@bellhop/protocol';

/** What only some readers of an event get, merged into it when it is delivered. */
export interface Personal {
  readonly users?: Readonly<Record<number, object>>;
  readonly queues?: Readonly<Record<string, object>>;
}

/** A row of the log. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly audience: readonly UserId[];
  readonly personal: Personal | null;
}

/** What a client asked for when it registered its queue. */
export interface StoredRegistration {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | 'partial';
  readonly event_types: readonly string[] | null;
  readonly narrow: readonly NarrowTerm[];
  readonly capabilities: ClientCapabilities;
}

/** Whose eyes an event is shown to. */
export interface Reader {
  readonly queue_id: string;
  readonly user_id: UserId;
  readonly registration: StoredRegistration;
}

/**
 * Turns a stored event into what one queue delivers: usually one event, none if the queue filters
 * it out, several where the client wants them one by one.
 */
export type Present = (event: StoredEvent, reader: Reader) => readonly object[];
export type Presenters = Partial<Record<EventType, Present>>;

/** The payload with the reader's own part. */
export const plainly: Present = ({ payload, personal }, { user_id, queue_id }) => [
  personal === null
    ? payload
    : { ...payload, ...personal.users?.[user_id], ...personal.queues?.[queue_id] },
];

/** The types a queue asked for; either name of user group events will do. */
export function wants({ event_types }: StoredRegistration, type: EventType): boolean {
  return (
    event_types === null ||
    event_types.includes(type) ||
    (type === 'user_group' && event_types.includes('realm_user_groups'))
  );
}

/**
 * Events that are stored in another form than the one queues deliver, because a part of them differs
 * from reader to reader. Declared beside the presenter that completes them.
 */
export interface StoredEvents {}

/** An event as handlers emit it. */
export type Emitted<T extends EventType> = T extends keyof StoredEvents
  ? StoredEvents[T]
  : EventOf<T>;
