import type { Api } from '@bellhop/protocol';
import {
  encodeForms,
  pathVariables,
  plainApi,
  type PlainEndpoint,
  shapeReader,
} from '@bellhop/protocol/plain';

import { type ClientOf, clientOf, type ClientOptions } from './ask.ts';
import type { CallableEndpoint } from './callable-endpoint.ts';

/** Prepared at the first call: a bot calls a few of all endpoints. */
export function callablePlain({ forms, result, ...endpoint }: PlainEndpoint): CallableEndpoint {
  let read: ReturnType<typeof shapeReader> | undefined;
  const plan = {
    forms: new Map(Object.entries(forms)),
    inPath: new Set(pathVariables(endpoint.route)),
  };
  return {
    ...endpoint,
    encode: (path, params) => encodeForms(plan, path, params),
    read(answer) {
      const reading = (read ??= shapeReader(result))(answer);
      return reading.success
        ? { data: reading.data as object }
        : { problem: new TypeError(`${reading.path || 'The response'} has the wrong type`) };
    },
  };
}

/** A client of the chat server that needs no zod at run time. */
export const createPlainClient = (options: ClientOptions): ClientOf<Api> =>
  clientOf(plainApi, callablePlain, options);
