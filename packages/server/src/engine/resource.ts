import type { Receive } from '@bellhop/http';
import type { Job } from '@bellhop/jobs';
import type {
  AnswerOf,
  Api,
  Contracts,
  EmitsOf,
  Endpoint,
  ErrorCode,
  ErrorsOf,
  ParamsOf,
  Section,
} from '@bellhop/protocol';
import type { z } from 'zod';

import type { Config } from '../config.ts';
import type { App, StateRequest } from './app.ts';
import type { Change, ChangeOptions, Db } from './call.ts';
import type { Realm, User } from './caller.ts';
import type { Secrets } from './secrets.ts';
import type { Present, StoredEvents } from './stored-event.ts';
import type { BatchedWrite } from './write-batcher.ts';

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
type CallOf<E extends Endpoint> = E['route'] extends `GET ${string}`
  ? ReadCall<E>
  : E['steps'] extends true
    ? StepsCall<E>
    : WriteCall<E>;
type HandlerOf<E extends Endpoint> = (call: CallOf<E>) => Promise<AnswerOf<E>>;

/** The handlers of one resource: one per operation of its contract, no more and no less. */
export type Handlers<R extends keyof Api> = {
  readonly [N in keyof Api[R]]: Api[R][N] extends Endpoint ? HandlerOf<Api[R][N]> : never;
};

/** A handler whose types have been forgotten, as the engine runs it. */
export type AnyHandler = (call: object) => Promise<object>;
export type Fail = (code: ErrorCode, message?: string, data?: object) => never;

/** Who is given a part of the initial state, and what else they have asked for. */
export interface Viewing extends StateRequest {
  readonly app: App;
  /** Whether a fetch type was asked for; who names none asks for all. */
  readonly asks: (fetchType: string) => boolean;
}
export interface UserViewing extends Viewing {
  readonly user: User;
}

type Value<S extends Section> = z.output<z.ZodObject<S['shape']>>;
/** Reads one part of the initial state; undefined where this client is to be given none. */
type ReadSection<S extends Section> = (
  viewing: S['access'] extends 'optional' ? Viewing : UserViewing,
) => Promise<Value<S> | undefined> | Value<S> | undefined;
type StateReaders<R extends keyof Contracts> = {
  readonly [T in keyof Contracts[R]['state']]: Contracts[R]['state'][T] extends Section
    ? ReadSection<Contracts[R]['state'][T]>
    : never;
};

type TypesOf<R extends keyof Contracts> = Contracts[R]['events'][number]['type'];
/** How events are shown to a queue; needed where an event is stored in another form. */
type PresentersOf<R extends keyof Contracts> = { readonly [T in TypesOf<R>]?: Present } & {
  readonly [T in TypesOf<R> & keyof StoredEvents]: Present;
};

/** A part that a resource has if its contract declares some of it. */
type Part<Name extends string, T> = {} extends T ? {} : { readonly [N in Name]: T };

/** What the server does for one resource of the contract. */
export type Resource<R extends keyof Contracts> = Part<
  'handlers',
  R extends keyof Api ? Handlers<R> : {}
> &
  Part<'state', StateReaders<R>> &
  Presenting<R> & { readonly jobs?: (config: Config) => readonly Job<unknown, App>[] };
type Presenting<R extends keyof Contracts> =
  {} extends PresentersOf<R>
    ? { readonly presenters?: (secrets: Secrets) => PresentersOf<R> }
    : { readonly presenters: (secrets: Secrets) => PresentersOf<R> };
/** One per resource of the contract. */
export type ServerResources = { readonly [R in keyof Contracts]: Resource<R> };
