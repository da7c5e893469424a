import { ApiError, endpoint, type Endpoint, withSlashes } from '@bellhop/protocol';
import { z } from 'zod';

import { basicCredentials } from './basic-credentials.ts';
import type { Exchange } from './exchange.ts';
import { listen } from './listen.ts';
import { type ContractCall, serveContract, type Service } from './serve-contract.ts';

const params = {
  text: z.string().optional(),
  number: z.int().optional(),
  list: z.array(z.int()).nullable().optional(),
  topic: z.string().optional(),
};
const result = { params: z.unknown() };
const aliases = { subject: 'topic' };

const testContract = {
  things: {
    list: endpoint('GET /things', { summary: 'x', access: 'anyone', params, result, aliases }),
    create: endpoint('POST /things', {
      summary: 'x',
      access: 'anyone',
      params: { ...params, needed: z.string() },
      result,
      aliases,
    }),
    get: endpoint('GET /things/{thing}', {
      summary: 'x',
      access: 'anyone',
      params: { thing: z.string() },
      result,
    }),
    edit: endpoint('PATCH /things/{thing}', {
      summary: 'x',
      access: 'anyone',
      params: { thing: z.string(), ...params },
      result,
    }),
    remove: endpoint('DELETE /things/{thing}', {
      summary: 'x',
      access: 'anyone',
      params: { thing: z.string(), ...params },
      result,
    }),
    mine: endpoint('GET /things/mine', { summary: 'x', access: 'user', result }),
    part: endpoint('GET /things/{thing}/parts', {
      summary: 'x',
      access: 'anyone',
      params: { thing: z.string() },
      result,
    }),
    minePart: endpoint('GET /things/mine/{part}', {
      summary: 'x',
      access: 'anyone',
      params: { part: z.string() },
      result,
    }),
    view: endpoint('GET /views/{view}', {
      summary: 'x',
      access: 'anyone',
      params: { view: withSlashes(z.string()) },
      result,
    }),
    bulk: endpoint('POST /bulk', {
      summary: 'x',
      access: 'anyone',
      body: 'json',
      params: { rows: z.array(z.unknown()) },
      result,
    }),
  },
};

type Perform = (request: ContractCall<string>) => Promise<object>;
interface Options extends Partial<Omit<Service<string>, 'perform'>> {
  readonly perform?: Perform;
  readonly requestTimeout?: number;
}

const admitCaller = async (endpointCalled: Endpoint, exchange: Exchange) => {
  if (endpointCalled.access === 'anyone') return 'anyone';
  const credentials = basicCredentials(exchange);
  if (!credentials) throw new ApiError('UNAUTHORIZED');
  return credentials.name;
};

/**
 * Serves a small contract whose operations return their parameters. `failures` are the errors passed
 * to onError, `statuses` those passed to onAnswer.
 */
export async function startTestService({ requestTimeout = 30_000, ...options }: Options = {}) {
  const failures: unknown[] = [];
  const statuses: number[] = [];
  const handler = serveContract<string>(testContract, {
    prefix: '/api/v1',
    admit: admitCaller,
    perform: async ({ params: decoded, caller }) => ({ params: decoded, caller }),
    onError: (error) => failures.push(error),
    onAnswer: (_endpoint, _exchange, status) => statuses.push(status),
    ...options,
  });
  const listening = await listen(handler, { requestTimeout });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${listening.url}/api/v1${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Record<string, unknown>,
    };
  };
  return { ...listening, handler, failures, statuses, ask };
}
