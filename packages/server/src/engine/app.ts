import type { Database } from '@bellhop/postgres';
import type { Api, Endpoint, EventType, InitialState, ParamsOf, UserId } from '@bellhop/protocol';
import type { Logger } from 'pino';

import type { AddressLimit, LookUp } from './address-limit.ts';
import type { Change, ChangeOptions, Db, Tx } from './call.ts';
import type { Realm, User } from './caller.ts';
import type { EventQueues } from './event-queues.ts';
import type { LoginLimit } from './login-limit.ts';
import type { Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';
import type { WriteBatcher } from './write-batcher.ts';

/**
 * The parts of a running server that the engine itself uses. What is above the engine adds its own
 * (app-services.ts), as tables are added to `Tables`. Created once, in server.ts.
 */
export interface App {
  readonly db: Database<Tables>;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly queues: EventQueues;
  /** UNIX time in milliseconds: the only clock. A job is due by that of the database. */
  readonly nowMs: () => number;
  /** The same in seconds, as most fields of the API have it. */
  readonly now: () => number;
  readonly realms: Realms;
  readonly users: Users;
  readonly loginLimit: LoginLimit;
  readonly addressLimit: AddressLimit;
  readonly writeBatcher: WriteBatcher;
  /** Reads the initial state of an event queue. */
  readonly initialState: (request: StateRequest) => Promise<InitialState>;
  readonly observer: Observer | undefined;
}
/** What an operator sets, which jobs are made with. The engine has no settings: app-services.ts adds them. */
export interface Settings {}
/**
 * What runs outside of a call gets: jobs and sweeps. No contract says what they emit. A handler gets the
 * `change` of its call.
 */
export interface JobApp extends App {
  /** Runs work in a transaction outside of a call, for jobs. */
  readonly change: <T>(
    realm: Pick<Realm, 'id'>,
    work: (change: Change) => Promise<T>,
    options?: ChangeOptions,
  ) => Promise<T>;
  /** Runs work in a transaction that the job queue opened to complete a job. */
  readonly changeIn: <T>(
    tx: Tx,
    realm: Pick<Realm, 'id'>,
    work: (change: Change) => Promise<T>,
  ) => Promise<T>;
}
/** The parts that a GET and a reader of the initial state get: none opens a transaction. */
export type ReadApp = Omit<App, 'db' | 'writeBatcher'>;
/** A request for the initial state. */
export interface StateRequest {
  /** A snapshot: all sections are read as of the same moment. */
  readonly db: Db;
  readonly realm: Realm;
  /** Null for a client without a login, if the realm allows that. */
  readonly user: User | null;
  readonly params: ParamsOf<Api['queues']['register']>;
  readonly client_gravatar: boolean;
}
/** Called with the results and events of operations. Tests compare them with the contract. */
export interface Observer {
  readonly answered: (endpoint: Endpoint, result: object, params: object) => void;
  readonly failed: (endpoint: Endpoint, error: unknown) => void;
  /** An operation emitted an event of this type. */
  readonly emitted: (endpoint: Endpoint, type: EventType) => void;
}
/** The cache of users on this node, which saves a query per call. */
export interface Users {
  /** Removes a user from the cache of every node when the transaction has committed. */
  readonly forget: (tx: Tx, id: UserId) => void;
  /**
   * Call after that commit (`Change.endLogins` does): resolves when the entry has expired even on a node
   * that was not notified.
   */
  readonly forgotten: () => Promise<void>;
  /** Reads a user in a transaction, past the cache. */
  readonly byIdIn: (tx: Tx, user: Pick<User, 'id' | 'realm_id'>) => Promise<User | undefined>;
}
/** The cache of realms on this node. */
export interface Realms {
  /**
   * Finds the realm of a host name; runs the query for a name that is not known yet by `lookUp`.
   * Throws NONEXISTENT_SUBDOMAIN.
   */
  readonly atHost: (host: string, lookUp: LookUp) => Promise<Realm>;
  readonly byId: (id: number) => Promise<Realm>;
  /**
   * Reads a realm in a transaction, past the cache. `byId` may wait for a second connection: many
   * transactions that wait for one have taken them all.
   */
  readonly byIdIn: (tx: Tx, id: number) => Promise<Realm>;
  /** Makes other changes of the realm wait for this transaction. Returns the realm as it is then. */
  readonly lock: (tx: Tx, realm: Realm) => Promise<Realm>;
  /** Empties the cache of every node when the transaction, which changed a realm, has committed. */
  readonly changed: (tx: Tx) => void;
  /** Empties the cache of this node. */
  readonly forget: () => void;
}
