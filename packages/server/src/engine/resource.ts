import type { Receive } from '@bellhop/http';
import type {
  AnswerOf,
  Api,
  Contracts,
  EmitsOf,
  Endpoint,
  ErrorCode,
  ErrorsOf,
  GeneralErrorCode,
  ParamsOf,
  Section,
} from '@bellhop/protocol';
import type { z } from 'zod';

import type { App, ReadApp, Settings, StateRequest } from './app.ts';
import type { Change, ChangeOptions, Db, LockedChange } from './call.ts';
import type { Actor, Realm, User } from './caller.ts';
import type { ConsoleRequest } from './console-request.ts';
import type { ServerJob } from './job.ts';
import type { Secrets } from './secrets.ts';
import type { Presenter, StoredEvents } from './stored-event.ts';
import type { BatchedWrite } from './write-batcher.ts';

/** The call of an endpoint, as every handler gets it. */
interface AnyCall<E extends Endpoint> {
  readonly app: App;
  readonly realm: Realm;
  /** The user who calls. Null only if the contract allows calls without a login. */
  readonly user: UserOf<E>;
  /** The realm, the user and the time. */
  readonly actor: ActorOf<E>;
  readonly params: ParamsOf<E>;
  /** The name of the client program, from its User-Agent: `ZulipPython`. */
  readonly client: string;
  /** Whether the client was made for public servers, and reads their names of values. */
  readonly reads_public_names: boolean;
  readonly ip: string;
  /** The file beside the fields of a form, if the endpoint has a `fileLimit` and the client sent one. */
  readonly file: Uint8Array | undefined;
  /** Creates a signal that is aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
  /** Reads the session of a call from a page of the console. Throws CSRF_FAILED for other pages. */
  readonly consoleRequest: () => ConsoleRequest;
  /** Throws an error that the contract declares for the endpoint. */
  readonly fail: Fail<ErrorsOf<E>>;
}
type ActorOf<E extends Endpoint> = UserOf<E> extends User ? Actor : undefined;
type UserOf<E extends Endpoint> = E['access'] extends 'anyone' | 'optional' ? User | null : User;

/** A call that only reads. */
export interface ReadCall<E extends Endpoint> extends Omit<AnyCall<E>, 'app'> {
  readonly app: ReadApp;
  readonly db: Db;
}
/** A call that runs in one transaction. */
export type WriteCall<E extends Endpoint> = E['locks'] extends 'realm'
  ? LockingWrite<E>
  : AnyCall<E> & Change<EmitsOf<E>>;
/** A call that opens its transactions itself. */
export type StepsCall<E extends Endpoint> = E['locks'] extends 'realm'
  ? LockingSteps<E>
  : AnyCall<E> & Steps<E, Change<EmitsOf<E>>>;

interface Locking<E extends Endpoint> {
  /** The realm and the user when the request came. Both may have changed until the lock. */
  readonly before: Pick<AnyCall<E>, 'realm' | 'user'>;
}
/** Its realm and user are as they are since the realm is locked. */
interface LockingWrite<E extends Endpoint>
  extends AnyCall<E>, LockedChange<EmitsOf<E>>, Locking<E> {}
/** Each change of it locks the realm, and has the realm and the user as they are since then. */
interface LockingSteps<E extends Endpoint>
  extends
    Omit<AnyCall<E>, 'realm' | 'user' | 'actor'>,
    Steps<E, LockedChange<EmitsOf<E>> & Pick<AnyCall<E>, 'realm' | 'user' | 'actor'>>,
    Locking<E> {}
interface Steps<E extends Endpoint, C> {
  readonly db: Db;
  readonly change: <T>(work: (change: C) => Promise<T>, options?: ChangeOptions) => Promise<T>;
  /** Reads the file, if the body of the endpoint is one. */
  readonly receive: Receive;
  /** Runs a write in one transaction with the other requests for it that are waiting. It locks no realm. */
  readonly batched: <Request, Result>(
    write: BatchedWrite<Request, Result, EmitsOf<E>>,
    request: Request,
  ) => Promise<Result>;
}
type CallOf<E extends Endpoint> = E['route'] extends `GET ${string}`
  ? ReadCall<E>
  : E['steps'] extends true
    ? StepsCall<E>
    : WriteCall<E>;
type HandlerOf<E extends Endpoint> = (call: CallOf<E>) => Promise<AnswerOf<E>>;

/** The handlers of one resource: exactly one per operation of its contract. */
export type Handlers<R extends keyof Api> = {
  readonly [N in keyof Api[R]]: Api[R][N] extends Endpoint ? HandlerOf<Api[R][N]> : never;
};

/** A handler of any endpoint, as the engine calls it. */
export type AnyHandler = (call: object) => Promise<object>;
/**
 * Throws an error with one of these codes, or with one that every endpoint may answer. A helper that
 * throws a declared error takes a `Fail` of its code: it compiles only where the endpoint declares it.
 */
export type Fail<Codes extends ErrorCode> = (
  code: Codes | GeneralErrorCode,
  message?: string,
  data?: object,
) => never;

/** The call that reads a section of the initial state. */
export interface StateCall extends StateRequest {
  readonly app: ReadApp;
  /** Whether the client requests a fetch type. Clients that name none request all. */
  readonly requests: (fetchType: string) => boolean;
}
export interface UserStateCall extends StateCall {
  readonly user: User;
}

type Value<S extends Section> = z.output<z.ZodObject<S['shape']>>;
/** Reads a section of the initial state. Undefined if this client does not get it. */
type ReadSection<S extends Section> = (
  call: S['access'] extends 'optional' ? StateCall : UserStateCall,
) => Promise<Value<S> | undefined> | Value<S> | undefined;
type StateReaders<R extends keyof Contracts> = {
  readonly [T in keyof Contracts[R]['state']]: Contracts[R]['state'][T] extends Section
    ? ReadSection<Contracts[R]['state'][T]>
    : never;
};

type TypesOf<R extends keyof Contracts> = Contracts[R]['events'][number]['type'];
/** The presenters of events. Required for events that are stored in another form. */
type PresentersOf<R extends keyof Contracts> = { readonly [T in TypesOf<R>]?: Presenter } & {
  readonly [T in TypesOf<R> & keyof StoredEvents]: Presenter;
};

/** A property that is absent if its type is empty. */
type Part<Name extends string, T> = {} extends T ? {} : { readonly [N in Name]: T };

/** The implementation of one resource of the contract. */
export type Resource<R extends keyof Contracts> = Part<
  'handlers',
  R extends keyof Api ? Handlers<R> : {}
> &
  Part<'state', StateReaders<R>> &
  PresentersPart<R> & { readonly jobs?: (settings: Settings) => readonly ServerJob<unknown>[] };
type PresentersPart<R extends keyof Contracts> =
  {} extends PresentersOf<R>
    ? { readonly presenters?: (secrets: Secrets) => PresentersOf<R> }
    : { readonly presenters: (secrets: Secrets) => PresentersOf<R> };
/** The implementation of every resource of the contract. */
export type ServerResources = { readonly [R in keyof Contracts]: Resource<R> };
