import type { EnqueueOptions, Job } from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import type { ChannelId, EventType, UserId } from '@bellhop/protocol';
import type { Kysely, RawBuilder } from 'kysely';

import type { User } from './caller.ts';
import type { Emitted, PersonalFields } from './stored-event.ts';
import type { Tables } from './tables.ts';

/** A database that is only read from: it has no method that writes. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'getExecutor'>;
export type Tx = Transaction<Tables>;

declare const locksRealm: unique symbol;
/**
 * A transaction that has locked the realm: other changes of its settings, users, groups, channels and
 * subscriptions wait for it. Endpoints that say so in the contract get one; others must not call what needs one.
 */
export type LockedTx = Tx & { readonly [locksRealm]: true };

/**
 * Adds an event to the log, for the queues of the audience. It is delivered after the commit.
 *
 * Not generic: the compiler erases the type parameters of two functions that it compares, and would
 * hand any `emit` to a helper that emits what the endpoint does not declare.
 */
export type Emit<Types extends EventType> = (
  event: Emitted<Types>,
  audience: readonly number[],
  personal?: PersonalFields,
) => void;

/** The part of a job that is needed to enqueue it. */
export type JobDescription<P> = Pick<Job<P, never>, 'name' | 'payload' | 'lane' | 'key'>;

export interface Membership {
  readonly channel_id: ChannelId;
  readonly user_id: UserId;
}

/** A transaction in which something depends on the place of its events in the log: who receives a message. */
export interface Following {
  readonly db: Tx;
  /**
   * Adds a statement that runs when the events have their places in the log: it sees all changes whose events
   * come before, and none whose events come later. Several run in the order of the calls, and hold up all
   * other changes of the realm: only for what the order of events decides.
   */
  readonly afterEvents: (statement: RawBuilder<unknown>) => void;
}

/** What the functions that write subscriptions get: the log tells nodes who is subscribed as of an event. */
export interface Subscribing extends Following {
  /** Adds to the log who has joined channels or left them: the events after it reach the new members. */
  readonly membersChanged: (op: 'join' | 'leave', members: readonly Membership[]) => void;
}

/** A transaction with the events and jobs that are committed with it. */
export interface Change<
  Emits extends EventType = EventType,
  D extends Tx = Tx,
> extends Subscribing {
  readonly db: D;
  /** The clock of the server: UNIX time in milliseconds. */
  readonly nowMs: () => number;
  readonly emit: Emit<Emits>;
  /** Adds a job that runs after the commit. Returns its ID. */
  readonly enqueue: <P>(
    job: JobDescription<P>,
    payload: P,
    options?: EnqueueOptions,
  ) => Promise<string>;
  /** Adds several jobs with one statement. Returns their IDs in the same order. */
  readonly enqueueAll: <P>(job: JobDescription<P>, payloads: readonly P[]) => Promise<string[]>;
  /**
   * Ends all event queues of users at the commit: they see other things than before, and their clients register
   * again.
   */
  readonly endQueues: (users: readonly UserId[]) => Promise<void>;
  /**
   * Ends all event queues and cached logins of a user at the commit. The call is answered when no node
   * accepts what the user logged in with before.
   */
  readonly endLogins: (user: Pick<User, 'id' | 'realm_id'>) => Promise<void>;
}
/** A change that has locked the realm. */
export type LockedChange<Emits extends EventType = EventType> = Change<Emits, LockedTx>;
export interface ChangeOptions {
  /** All queries see the database as of the same moment. */
  readonly snapshot?: boolean;
  /** Called at the commit, when all locks are released. The commit may not be on disk yet. */
  readonly onCommit?: () => void;
}
