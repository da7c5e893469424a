import type { RequestListener } from 'node:http';

import { createClientFor } from '@bellhop/client';
import { serveContract } from '@bellhop/http';
import {
  ApiError,
  bouncerOperator,
  type Endpoint,
  OPERATOR_NAME,
  OPERATOR_PREFIX,
  SANDBOX_OPERATOR_PREFIX,
} from '@bellhop/protocol';
import type { Server } from '@bellhop/server';
import type { Logger } from 'pino';

interface OperatorOptions {
  readonly server: Pick<Server, 'admit'>;
  readonly bouncerUrl: string;
  readonly token: string;
  readonly log: Logger;
}
type Ask = (params: object) => Promise<object>;

/**
 * Passes calls of the sandbox's administrators on to the operator API of its bouncer: the sandbox
 * signs them in there, and no page gets the operator token.
 */
export function serveOperator({
  server,
  bouncerUrl,
  token,
  log,
}: OperatorOptions): RequestListener {
  const client = createClientFor(bouncerOperator, {
    url: bouncerUrl,
    prefix: OPERATOR_PREFIX,
    email: OPERATOR_NAME,
    apiKey: token,
  }) as unknown as Record<string, Record<string, Ask>>;
  const asks = new Map<Endpoint, Ask | undefined>();
  for (const [resource, endpoints] of Object.entries(bouncerOperator))
    for (const [name, endpoint] of Object.entries(endpoints))
      if (endpoint.access === 'operator') asks.set(endpoint, client[resource]?.[name]);
  return serveContract(bouncerOperator, {
    prefix: SANDBOX_OPERATOR_PREFIX,
    admit: (endpoint, exchange) => server.admit({ ...endpoint, access: 'admin' }, exchange),
    perform: async ({ endpoint, params }) => {
      const ask = asks.get(endpoint);
      if (!ask) throw new ApiError('NOT_FOUND', { message: 'The sandbox signs you in itself' });
      return ask(params);
    },
    onError: (error, { path }) => log.error({ err: error, path }, 'an operator request failed'),
  });
}
