import type { ClientOf } from '@bellhop/client';
import type { Database } from '@bellhop/postgres';
import type {
  AnswerOf,
  Api,
  AskOf,
  Bouncer,
  Endpoint,
  EventType,
  InitialState,
  ParamsOf,
  UserId,
} from '@bellhop/protocol';
import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Tables } from '../tables.ts';
import type { Change, ChangeOptions, Db, Tx } from './call.ts';
import type { Realm, User } from './caller.ts';
import type { EventQueues } from './event-queues.ts';
import type { LoginLimit } from './login-limit.ts';
import type { Secrets } from './secrets.ts';
import type { WriteBatcher } from './write-batcher.ts';

/** Everything a running server holds. Built once, in server.ts. */
export interface App {
  readonly config: Config;
  readonly db: Database<Tables>;
  /** The same under the name the job queue looks for. */
  readonly database: Database<Tables>;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly queues: EventQueues;
  /** The push bouncer, where one is configured. */
  readonly bouncer: ClientOf<Bouncer> | undefined;
  /** UNIX time in seconds. */
  readonly now: () => number;
  readonly realms: Realms;
  readonly users: Users;
  /** Requests to the addresses of webhook bots. */
  readonly outbound: Outbound;
  readonly loginLimit: LoginLimit;
  readonly writeBatcher: WriteBatcher;
  /** Makes a change outside of a call: the way a job records its outcome. */
  readonly change: <T>(
    realm: Pick<Realm, 'id'>,
    work: (change: Change) => Promise<T>,
    options?: ChangeOptions,
  ) => Promise<T>;
  /** The same inside a transaction that the job queue opened for a job's outcome. */
  readonly changeIn: <T>(
    tx: Tx,
    realm: Pick<Realm, 'id'>,
    work: (change: Change) => Promise<T>,
  ) => Promise<T>;
  /** Performs an operation as `user`, exactly as if they had called the API. */
  readonly perform: <E extends Endpoint>(
    endpoint: E,
    params: AskOf<E>,
    as: PerformedAs,
  ) => Promise<AnswerOf<E>>;
  /** Reads the state that events then keep up to date. */
  readonly initialState: (request: StateRequest) => Promise<InitialState>;
  readonly observer: Observer | undefined;
}
/** Who reads the initial state, and how they registered for it. */
export interface StateRequest {
  /** A snapshot: all parts are read from one moment. */
  readonly db: Db;
  readonly realm: Realm;
  /** Null where the realm lets people look in without a login. */
  readonly user: User | null;
  readonly params: ParamsOf<Api['queues']['register']>;
  readonly client_gravatar: boolean;
}
/** Told of what operations do; tests hold it against the contract. */
export interface Observer {
  readonly answered: (endpoint: Endpoint, result: object) => void;
  readonly failed: (endpoint: Endpoint, error: unknown) => void;
  /** An operation recorded an event of this type, for whoever listens. */
  readonly emitted: (endpoint: Endpoint, type: EventType) => void;
}
export interface PerformedAs {
  readonly realm: Realm;
  readonly user: User;
  readonly client: string;
}
/** What every node remembers of users for a moment, so as not to ask at every call. */
export interface Users {
  /** Has every node forget a user when the transaction has committed. */
  readonly forget: (tx: Tx, id: UserId) => void;
  /** After that commit: resolves when no node can remember them, even one that was not told. */
  readonly forgotten: () => Promise<void>;
}
export interface Realms {
  /** The realm of a host name; throws NONEXISTENT_SUBDOMAIN. */
  readonly atHost: (host: string) => Promise<Realm>;
  readonly byId: (id: number) => Promise<Realm>;
  /** Forgets what was read, after a change to a realm. */
  readonly forget: () => void;
}
