import type { Receive } from '@bellhop/http';
import { ApiError, type Contract, type Endpoint, generalErrors } from '@bellhop/protocol';

import type { App, Observer } from './app.ts';
import type { Change, ChangeOptions } from './call.ts';
import type { Caller } from './caller.ts';
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
  readonly file: Uint8Array | undefined;
}

/**
 * Runs an operation. A GET only reads, an endpoint with `steps` opens its own transactions, every
 * other runs in one. An ApiError that the contract does not declare is a bug and becomes an Error.
 */
export async function perform(
  app: App,
  { endpoint, handler }: { endpoint: Endpoint; handler: AnyHandler },
  operation: OperationCall,
): Promise<object> {
  const { realm } = operation;
  const { observer } = app;
  const call = { app, fail, ...operation };
  const ofRealm = <T>(work: (change: Change) => Promise<T>, options?: ChangeOptions) =>
    app.change(realm, observer ? observed(work, { observer, endpoint }) : work, options);
  const batched = <Request, Result>(write: BatchedWrite<Request, Result>, request: Request) =>
    app.writeBatcher.add(write, { realm, request, change: ofRealm });
  const run = async () => {
    if (endpoint.route.startsWith('GET '))
      return handler({ ...call, db: app.db.kyselyFor(call.signal) });
    if (endpoint.steps) return handler({ ...call, db: app.db.kysely, change: ofRealm, batched });
    return (await ofRealm((change) => handler({ ...call, ...change }))) as object;
  };
  try {
    const result = await run();
    observer?.answered(endpoint, result, operation.params);
    return result;
  } catch (error) {
    observer?.failed(endpoint, error);
    throw declaredError(endpoint, error);
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

const fail: Fail = (code, message, data) => {
  throw new ApiError(code, {
    ...(message === undefined ? {} : { message }),
    ...(data ? { data: { ...data } } : {}),
  });
};

function declaredError(endpoint: Endpoint, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const known: readonly string[] = [...generalErrors, ...endpoint.errors];
  return known.includes(error.code)
    ? error
    : new Error(`${endpoint.route} does not declare ${error.code}`, { cause: error });
}
