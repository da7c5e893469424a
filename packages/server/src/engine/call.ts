import type { Receive } from '@bellhop/http';
import type { EnqueueOptions, Job } from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import type {
  AnswerOf,
  Api,
  Endpoint,
  EmitsOf,
  ErrorCode,
  ErrorsOf,
  EventType,
  ParamsOf,
} from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { Tables } from '../tables.ts';
import type { App } from './app.ts';
import type { Realm, User } from './caller.ts';
import type { Emitted, Personal } from './stored-event.ts';
import type { BatchedWrite } from './write-batcher.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Records that something happened, for those of the audience who listen; leaves with the commit. */
export type Emit<Types extends EventType> = <T extends Types>(
  event: Emitted<T>,
  audience: readonly number[],
  personal?: Personal,
) => void;

/** What must be known of a job to add it. */
export type JobDescription<P> = Pick<Job<P, App>, 'name' | 'payload' | 'lane' | 'key'>;

/** One transaction, and what follows from it once it has committed. */
export interface Change<Emits extends EventType = EventType> {
  readonly db: Tx;
  readonly emit: Emit<Emits>;
  /** Adds work to be done after the commit; returns the job's id. */
  readonly enqueue: <P>(
    job: JobDescription<P>,
    payload: P,
    options?: EnqueueOptions,
  ) => Promise<string>;
  /** Adds many jobs of one kind with one statement; returns their ids in the same order. */
  readonly enqueueAll: <P>(job: JobDescription<P>, payloads: readonly P[]) => Promise<string[]>;
}
/** What every handler is given. */
interface AnyCall<E extends Endpoint> {
  readonly app: App;
  readonly realm: Realm;
  /** The user who asks; null only where the contract lets strangers in. */
  readonly user: UserOf<E>;
  readonly params: ParamsOf<E>;
  /** The name of the client program, from its User-Agent: `ZulipPython`. */
  readonly client: string;
  readonly ip: string;
  /** What is aborted when the client goes away; made only for those who ask. */
  readonly signal: () => AbortSignal;
  /** Ends the call with an error the contract declares for it. */
  readonly fail: (code: ErrorsOf<E> | 'BAD_REQUEST', message?: string, data?: object) => never;
}
type UserOf<E extends Endpoint> = E['access'] extends 'anyone' | 'optional' ? User | null : User;

/** A call that only reads. */
export interface ReadCall<E extends Endpoint> extends AnyCall<E> {
  readonly db: Db;
}
/** A call that is one transaction. */
export interface WriteCall<E extends Endpoint> extends AnyCall<E>, Change<EmitsOf<E>> {}
/** A call that opens its transactions itself, around something slow. */
export interface StepsCall<E extends Endpoint> extends AnyCall<E> {
  readonly db: Db;
  readonly change: <T>(
    work: (change: Change<EmitsOf<E>>) => Promise<T>,
    options?: ChangeOptions,
  ) => Promise<T>;
  /** Takes the file that came along, where the endpoint's body is one. */
  readonly receive: Receive;
  /** Carries out a request in one transaction with requests of the same kind that wait as well. */
  readonly batched: <Request, Result>(
    write: BatchedWrite<Request, Result, EmitsOf<E>>,
    request: Request,
  ) => Promise<Result>;
}
export interface ChangeOptions {
  /** All reads see one moment. */
  readonly snapshot?: boolean;
  /** Called once it is committed and others need not wait for it any more; it may not be on disk. */
  readonly onCommit?: () => void;
}

type CallOf<E extends Endpoint> = E['route'] extends `GET ${string}`
  ? ReadCall<E>
  : E['steps'] extends true
    ? StepsCall<E>
    : WriteCall<E>;
type HandlerOf<E extends Endpoint> = (call: CallOf<E>) => Promise<AnswerOf<E>>;

/** The handlers of one resource: one per operation of its contract, no more and no less. */
export type Resource<R extends keyof Api> = {
  readonly [N in keyof Api[R]]: Api[R][N] extends Endpoint ? HandlerOf<Api[R][N]> : never;
};
export type Resources = { readonly [R in keyof Api]: Resource<R> };

/** A handler whose types have been forgotten, as the engine runs it. */
export type AnyHandler = (call: object) => Promise<object>;
export type Fail = (code: ErrorCode, message?: string, data?: object) => never;
