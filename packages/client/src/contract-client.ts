import { type AskOf, type Contract, encodeParams, type Endpoint } from '@bellhop/protocol';

import { type ClientOf, clientOf, type ClientOptions } from './ask.ts';
import type { CallableEndpoint } from './callable-endpoint.ts';

const callable = (endpoint: Endpoint): CallableEndpoint => ({
  route: endpoint.route,
  body: endpoint.body,
  redirects: endpoint.redirects,
  encode: (path, params) => encodeParams(endpoint, path, params as AskOf<Endpoint>),
  read(answer) {
    const { success, data, error } = endpoint.result.safeParse(answer);
    return success ? { data } : { problem: error };
  },
});

/**
 * Creates a client of any contract: `client.messages.send({ ... })`. Parses responses by the contract.
 * Throws ApiError for documented errors, ConnectionFailed for everything else.
 */
export const createClientFor = <C extends Contract>(
  contract: C,
  options: ClientOptions,
): ClientOf<C> => clientOf(contract, callable, options);
