import type { AnswerOf, Api, Endpoint, ParamsOf } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { World } from './world.ts';

/** What a handler of the fake server is given. */
export interface Call<Params> {
  readonly params: Params;
  readonly world: World;
  /** Who asks. Throws UNAUTHORIZED where nobody has said. */
  readonly user: Account;
  /** The program that asks, as its User-Agent begins. */
  readonly client: string;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

type Handler<E> = E extends Endpoint
  ? (call: Call<ParamsOf<E>>) => AnswerOf<E> | Promise<AnswerOf<E>>
  : never;

/** The operations of a resource that the fake server can do. */
export type Resource<R extends keyof Api> = { readonly [O in keyof Api[R]]?: Handler<Api[R][O]> };
