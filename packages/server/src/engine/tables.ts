import type { EventType, RealmId, UserId } from '@bellhop/protocol';
import type { ColumnType, Generated } from 'kysely';

import type { StoredFields, StoredRegistration } from './stored-event.ts';

/** A json column: an object when read, JSON text when written. */
export type JsonColumn<T> = ColumnType<T, string, string>;

/**
 * The tables of the database. These are the event log and the queues that read it; every other file that
 * owns a table adds it here.
 */
export interface Tables {
  event: {
    realm_id: RealmId;
    seq: number;
    type: EventType | 'membership';
    payload: JsonColumn<Record<string, unknown>>;
    audience: number[];
    personal: ColumnType<StoredFields | null, string | null, string | null>;
  };
  event_queue: {
    id: string;
    realm_id: RealmId;
    user_id: UserId;
    registration: JsonColumn<StoredRegistration>;
    client: string;
    acknowledged_id: number;
    /** Subtracted from the IDs of the log in answers to the client. */
    id_offset: Generated<number>;
    /** No event after the acknowledged one and up to this one is for the queue. */
    scanned_seq: number;
    lifespan_seconds: number;
    /** The epoch of the realm's counter in which the queue was last polled. */
    epoch: Generated<number>;
    last_active: Generated<Date>;
  };
}
