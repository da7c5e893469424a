import type {
  ChannelId,
  ClientCapabilities,
  EventOf,
  EventType,
  NarrowTerm,
  UserId,
} from '@bellhop/protocol';

/** Fields of an event that only some users or queues get. They are merged into it at delivery. */
export interface PersonalFields {
  readonly users?: Readonly<Record<number, object>>;
  /** For the subscribers of the channels in the audience who are not among `users`. */
  readonly subscribers?: object;
  readonly queue?: QueueFields;
}
/** Fields for the queue that a request named. Another user's queue does not get them. */
export interface QueueFields {
  readonly queue_id: string;
  /** The user of the request. */
  readonly user_id: UserId;
  readonly fields: object;
}

/** Fields of a row of the event log beside its event. */
export interface StoredFields extends PersonalFields {
  /**
   * The users whose older queues get neither this event nor a later one: the change deactivated them, gave
   * them another role, address or key, or took a user from their sight. Nodes hear of the deletion of a
   * queue later than of events.
   */
  readonly ended?: readonly UserId[];
}

/** An event of the log that a node has read. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Who gets the event: IDs of users, and entries that mean many users (`audience.ts`). */
  readonly audience: readonly number[];
  readonly personal: StoredFields | null;
  /** The subscribers of each channel that the audience names, as of the place of the event in the log. */
  readonly subscribers: readonly ReadonlySet<UserId>[];
}
/** A row of the event log that queues deliver. */
export type LoggedEvent = Omit<StoredEvent, 'subscribers'>;

/** The type of the rows of the event log that say who joined channels and who left them. */
export const MEMBERSHIP = 'membership';
/**
 * A row of the event log for the nodes alone: these users are subscribers of the channels from here on, or
 * are not any more. The audience of the row has the channels and the users.
 */
export interface LoggedMembership {
  readonly seq: number;
  readonly type: typeof MEMBERSHIP;
  readonly payload: MembershipChange;
  readonly audience: readonly number[];
}
export interface MembershipChange {
  readonly type: typeof MEMBERSHIP;
  readonly op: 'join' | 'leave';
  readonly members: readonly (readonly [ChannelId, readonly UserId[]])[];
}
export type LogRow = LoggedEvent | LoggedMembership;

/** Whether an event is for the subscribers of a channel and the user is one of them. */
export const isForSubscriber = ({ subscribers }: StoredEvent, user: UserId): boolean =>
  subscribers.some((members) => members.has(user));

/** The parameters with which a client registered its queue. */
export interface StoredRegistration {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | 'partial';
  readonly event_types: readonly string[] | null;
  readonly narrow: readonly NarrowTerm[];
  readonly capabilities: ClientCapabilities;
  /** Whether the client was made for public servers. Absent in queues of before decision 115. */
  readonly reads_public_names?: boolean;
}

/** The queue to which an event is delivered. */
export interface Reader {
  readonly queue_id: string;
  readonly user_id: UserId;
  readonly registration: StoredRegistration;
}

/**
 * Converts a stored event to the events that one queue delivers: usually one, none if the queue
 * filters it out, several if the client needs one per message.
 */
export type Presenter = (event: StoredEvent, reader: Reader) => readonly object[];
export type Presenters = Partial<Record<EventType, Presenter>>;

/** The fields for the queue that a request named, if the reader is that queue of that user. */
export const queueFields = (
  { personal }: StoredEvent,
  { queue_id, user_id }: Reader,
): object | undefined =>
  personal?.queue?.queue_id === queue_id && personal.queue.user_id === user_id
    ? personal.queue.fields
    : undefined;

/** The fields for a reader, whatever the queue: those of the user, or else those of every subscriber. */
export const readerFields = (event: StoredEvent, { user_id }: Reader): object | undefined =>
  event.personal?.users?.[user_id] ??
  (isForSubscriber(event, user_id) ? event.personal?.subscribers : undefined);

/** Presents an event as it is stored, with the personal fields of the reader. */
export const presentAsStored: Presenter = (event, reader) => {
  const { payload, personal } = event;
  return [
    personal === null
      ? payload
      : { ...payload, ...readerFields(event, reader), ...queueFields(event, reader) },
  ];
};

/** Presents an event only to queues with the capability `console_events`. */
export const presentToConsoles: Presenter = (event, reader) =>
  reader.registration.capabilities.console_events ? presentAsStored(event, reader) : [];

/**
 * Events that are stored in another form than queues deliver, because a part differs between
 * readers. Each is declared beside its presenter.
 */
export interface StoredEvents {}

/** A table and no condition: the compiler sees that fewer types of events are fewer events. */
type EmittedEvents = {
  readonly [T in EventType]: T extends keyof StoredEvents ? StoredEvents[T] : EventOf<T>;
};
/** An event as handlers emit it. */
export type Emitted<T extends EventType> = EmittedEvents[T];
