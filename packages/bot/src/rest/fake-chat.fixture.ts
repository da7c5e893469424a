import { listen, serveContract } from '@bellhop/http';
import { ApiError, api, type Endpoint } from '@bellhop/protocol';

import { createRest, type Rest, type RestOptions } from './rest.ts';

type Params = Readonly<Record<string, unknown>>;
type Answer = (params: Params, signal: AbortSignal) => object | Promise<object>;

export interface FakeChat extends AsyncDisposable {
  readonly url: string;
  /** What was asked so far: the route and its parameters. */
  readonly asked: { readonly route: string; readonly params: Params }[];
  /** How an endpoint answers from now on. */
  readonly answer: (endpoint: Endpoint, answer: Answer) => void;
  /** What happens instead of the next answers of an endpoint, in order. */
  readonly trouble: (endpoint: Endpoint, ...troubles: (() => object | Promise<object>)[]) => void;
  /** Cuts every connection. */
  readonly cut: () => void;
  readonly rest: (options?: Partial<RestOptions>) => Rest;
}

/** A chat server for the tests, on loopback, that speaks the protocol and knows nothing. */
export async function fakeChat(): Promise<FakeChat> {
  const asked: { route: string; params: Params }[] = [];
  const answers = new Map<Endpoint, Answer>();
  const troubles = new Map<Endpoint, (() => object | Promise<object>)[]>();
  let messages = 0;
  answers.set(api.messages.send, () => ({ id: 100 + ++messages }));
  const server = await listen(
    serveContract(api, {
      prefix: '/api/v1',
      admit: async () => undefined,
      perform: async ({ endpoint, params, exchange }) => {
        asked.push({ route: endpoint.route, params });
        const trouble = troubles.get(endpoint)?.shift();
        if (trouble) return trouble();
        return (await answers.get(endpoint)?.(params, exchange.signal())) ?? {};
      },
      onError: () => undefined,
    }),
  );
  return {
    url: server.url,
    asked,
    answer: (endpoint, answer) => void answers.set(endpoint, answer),
    trouble: (endpoint, ...list) => void troubles.set(endpoint, list),
    cut: () => server.server.closeAllConnections(),
    rest: (options) =>
      createRest({ url: server.url, email: 'echo-bot@chat.test', apiKey: 'key', ...options }),
    [Symbol.asyncDispose]: () => server.stop(0),
  };
}

/** Refuses as a server does that is asked too often. */
export const limited = (seconds: number) => () =>
  Promise.reject(new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': seconds } }));
