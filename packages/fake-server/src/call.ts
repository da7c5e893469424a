import type { Receive } from '@bellhop/http';
import type { AnswerOf, Api, Endpoint, ParamsOf } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { World } from './world.ts';

/** The argument of a handler. */
export interface Call<Params> {
  readonly params: Params;
  readonly world: World;
  /** The caller. Throws UNAUTHORIZED for an anonymous request. */
  readonly user: Account;
  /** Reads the file of an upload. */
  readonly receive: Receive;
  /** The name of the client program, from its User-Agent. */
  readonly client: string;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

type Handler<E> = E extends Endpoint
  ? (call: Call<ParamsOf<E>>) => AnswerOf<E> | Promise<AnswerOf<E>>
  : never;

/** The handlers of a resource, one per supported operation. */
export type Resource<R extends keyof Api> = { readonly [O in keyof Api[R]]?: Handler<Api[R][O]> };
