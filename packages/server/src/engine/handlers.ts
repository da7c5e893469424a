import type { Receive } from '@bellhop/http';
import {
  ApiError,
  type Contract,
  type Endpoint,
  type ErrorCode,
  generalErrors,
} from '@bellhop/protocol';

import type { JobApp, Observer } from './app.ts';
import type { Change, ChangeOptions } from './call.ts';
import type { Actor, Caller } from './caller.ts';
import type { ConsoleRequest } from './console-request.ts';
import { lockRealmFor, locksRealm, type RealmCaller } from './lock-realm-for.ts';
import type { AnyHandler, Fail } from './resource.ts';
import type { BatchedWrite } from './write-batcher.ts';

/** The handler of each endpoint. Throws if one is missing. */
export function handlersByEndpoint(
  contract: Contract,
  resources: object,
): Map<Endpoint, AnyHandler> {
  const implementation = resources as Record<string, Record<string, AnyHandler>>;
  return new Map(
    Object.entries(contract).flatMap(([resource, endpoints]) =>
      Object.entries(endpoints).map(([operation, endpoint]) => {
        const handler = implementation[resource]?.[operation];
        if (!handler) throw new Error(`Nothing implements ${resource}.${operation}`);
        return [endpoint, handler] as const;
      }),
    ),
  );
}

interface OperationCall extends Caller {
  readonly params: object;
  readonly ip: string;
  readonly signal: () => AbortSignal;
  readonly receive: Receive;
  readonly consoleRequest: () => ConsoleRequest;
  readonly file: Uint8Array | undefined;
}

/**
 * Runs an operation. A GET only reads, an endpoint with `steps` opens its own transactions, every
 * other runs in one; what the contract says that it locks is locked first. An ApiError that the contract
 * does not declare is a bug and becomes an Error.
 */
export function perform(
  app: JobApp,
  implementation: Implementation,
  operation: OperationCall,
): Promise<object> {
  const { endpoint } = implementation;
  const { observer } = app;
  const result = run(app, implementation, operation);
  const { params } = operation;
  const reported = observer ? reportTo(observer, { endpoint, params, result }) : result;
  // Not awaited: a poll takes a minute, and this function would keep the operation in memory.
  return reported.catch(throwDeclared(endpoint));
}

interface Implementation {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
}

async function run(
  app: JobApp,
  { endpoint, handler }: Implementation,
  operation: OperationCall,
): Promise<object> {
  const { realm, user } = operation;
  const before = { realm, user };
  const call = { app, fail, before, ...operation, ...calledBy(before, app.now()) };
  if (endpoint.route.startsWith('GET '))
    return handler({ ...call, db: app.db.kyselyFor(call.signal) });
  const { observer } = app;
  const open = <T>(work: (change: Change) => Promise<T>, options?: ChangeOptions) =>
    app.change(realm, observer ? observed(work, { observer, endpoint }) : work, options);
  const change = locksRealm(endpoint, operation.params)
    ? <T>(work: (change: Change & Partial<CalledBy>) => Promise<T>, options?: ChangeOptions) =>
        open(async (opened) => {
          const locked = await lockRealmFor(app, endpoint, opened.db, operation);
          return work({ ...opened, ...calledBy(locked, app.now()) });
        }, options)
    : open;
  const batched = <Request, Result>(write: BatchedWrite<Request, Result>, request: Request) =>
    app.writeBatcher.add(write, { realm, request, change: open });
  if (endpoint.steps) return handler({ ...call, db: app.db.kysely, change, batched });
  return (await change((opened) => handler({ ...call, ...opened }))) as object;
}

interface CalledBy extends RealmCaller {
  readonly actor: Actor | undefined;
}

const calledBy = ({ realm, user }: RealmCaller, now: number): CalledBy => ({
  realm,
  user,
  actor: user ? { realm, user, now } : undefined,
});

interface PerformedOperation {
  readonly endpoint: Endpoint;
  readonly params: object;
  readonly result: Promise<object>;
}

async function reportTo(
  observer: Observer,
  { endpoint, params, result }: PerformedOperation,
): Promise<object> {
  try {
    observer.answered(endpoint, await result, params);
    return await result;
  } catch (error) {
    observer.failed(endpoint, error);
    throw error;
  }
}

/** Wraps work so that the observer is called for each event. */
const observed =
  <T>(
    work: (change: Change) => Promise<T>,
    { observer, endpoint }: { observer: Observer; endpoint: Endpoint },
  ): typeof work =>
  (change) =>
    work({
      ...change,
      emit: (event, audience, personal) => {
        observer.emitted(endpoint, event.type);
        change.emit(event, audience, personal);
      },
    });

const fail: Fail<ErrorCode> = (code, message, data) => {
  throw new ApiError(code, {
    ...(message === undefined ? {} : { message }),
    ...(data ? { data: { ...data } } : {}),
  });
};

const throwDeclared = (endpoint: Endpoint) => (error: unknown) => {
  const known: readonly string[] = [...generalErrors, ...endpoint.errors];
  if (!(error instanceof ApiError) || known.includes(error.code)) throw error;
  throw new Error(`${endpoint.route} does not declare ${error.code}`, { cause: error });
};
