import { listen, serveContract } from '@bellhop/http';
import { ApiError, api, type Endpoint } from '@bellhop/protocol';

import { createRest, type Rest, type RestOptions } from './rest.ts';

type Params = Readonly<Record<string, unknown>>;
type Responder = (params: Params, signal: AbortSignal) => object | Promise<object>;

export interface FakeChat extends AsyncDisposable {
  readonly url: string;
  /** The requests so far. */
  readonly requests: { readonly route: string; readonly params: Params }[];
  /** Sets the response of an endpoint. */
  readonly respond: (endpoint: Endpoint, responder: Responder) => void;
  /** Replaces the next responses of an endpoint, in order. */
  readonly intercept: (
    endpoint: Endpoint,
    ...interceptors: (() => object | Promise<object>)[]
  ) => void;
  /** Cuts every connection. */
  readonly cut: () => void;
  readonly rest: (options?: Partial<RestOptions>) => Rest;
}

/** A chat server on loopback that records requests and gives the responses a test sets. */
export async function fakeChat(): Promise<FakeChat> {
  const requests: { route: string; params: Params }[] = [];
  const responders = new Map<Endpoint, Responder>();
  const interceptors = new Map<Endpoint, (() => object | Promise<object>)[]>();
  let messages = 0;
  responders.set(api.messages.send, () => ({ id: 100 + ++messages }));
  const server = await listen(
    serveContract(api, {
      prefix: '/api/v1',
      admit: async () => undefined,
      perform: async ({ endpoint, params, exchange }) => {
        requests.push({ route: endpoint.route, params });
        const interceptor = interceptors.get(endpoint)?.shift();
        if (interceptor) return interceptor();
        return (await responders.get(endpoint)?.(params, exchange.signal())) ?? {};
      },
      onError: () => undefined,
    }),
  );
  return {
    url: server.url,
    requests,
    respond: (endpoint, responder) => void responders.set(endpoint, responder),
    intercept: (endpoint, ...list) => void interceptors.set(endpoint, list),
    cut: () => server.server.closeAllConnections(),
    rest: (options) =>
      createRest({ url: server.url, email: 'echo-bot@chat.test', apiKey: 'key', ...options }),
    [Symbol.asyncDispose]: () => server.stop(0),
  };
}

/** Refuses a call with a rate limit that ends after `seconds`. */
export const rateLimited = (seconds: number) => () =>
  Promise.reject(new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': seconds } }));
