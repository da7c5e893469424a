import { type ContractHandler, serveContract } from '@bellhop/http';
import { asApiError } from '@bellhop/postgres';
import {
  ApiError,
  bouncerOperator,
  type Endpoint,
  OPERATOR_PREFIX,
  parseParams,
} from '@bellhop/protocol/bouncer';

import { operatorAdmission } from './admit-operator.ts';
import { type OperatedBouncer, operatorHandlers } from './operator-handlers.ts';

type Run = (call: object) => Promise<object>;

/** Serves the operator below `/v1/admin`, if the configuration has an operator token. */
export function serveOperator(bouncer: OperatedBouncer): ContractHandler {
  const { app, statistics } = bouncer;
  const admission = operatorAdmission({ token: () => app.config.operatorToken, now: app.now });
  const runs = new Map<Endpoint, Run>();
  for (const [resource, handlers] of Object.entries(operatorHandlers))
    for (const [name, run] of Object.entries(handlers as Record<string, Run>)) {
      const endpoints = bouncerOperator[resource as keyof typeof operatorHandlers];
      runs.set((endpoints as Record<string, Endpoint>)[name] as Endpoint, run);
    }
  return serveContract(bouncerOperator, {
    prefix: OPERATOR_PREFIX,
    behindProxy: app.config.behindProxy,
    admit: admission.admit,
    perform: async ({ endpoint, params, exchange }) => {
      if (endpoint === bouncerOperator.session.signIn) {
        const { token } = parseParams(bouncerOperator.session.signIn, params);
        return { console_key: await admission.signIn(token, exchange) };
      }
      const run = runs.get(endpoint);
      if (!run) throw new ApiError('NOT_FOUND');
      const name = admission.nameOf(exchange);
      const operator = { database: app.database, name, now: app.now };
      return run({ params, app, operator, statistics });
    },
    onError: (error, { path }) => app.log.error({ err: error, path }, 'an operator request failed'),
    toApiError: asApiError,
  });
}
