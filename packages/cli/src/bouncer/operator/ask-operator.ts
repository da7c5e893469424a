import { rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import { BadConfig, readOperatorAccess } from '@bellhop/bouncer/operator';
import { type ClientOf, ConnectionFailed, createClientFor } from '@bellhop/client';
import {
  ApiError,
  type BouncerOperator,
  bouncerOperator,
  OPERATOR_PREFIX,
} from '@bellhop/protocol';

import { accountName } from '../account-name.ts';

export type OperatorClient = ClientOf<BouncerOperator>;

/** The last lines of the help of the commands that ask a running bouncer. */
export const accessHelp = `Asks the running bouncer over HTTP.

Environment:
  BELLHOP_BOUNCER_OPERATOR_TOKEN (or ..._FILE) as for the bouncer
  BELLHOP_BOUNCER_URL            the address of the bouncer; without it the one that
                                 BELLHOP_BOUNCER_HOST and ..._PORT of the bouncer name`;

/** Calls back with a client of the operator's contract. A refused or failed call becomes a UserError. */
export async function askOperator<Result>(
  work: (operator: OperatorClient) => Promise<Result>,
): Promise<Result> {
  const { url, client } = operatorClient(process.env);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof ApiError) throw new UserError(error.message, { cause: error });
    if (error instanceof ConnectionFailed)
      throw new UserError(`No bouncer answers at ${url}: ${reasonOf(error)}`, { cause: error });
    throw error;
  }
}

/** Why there was no answer: the client's own message only repeats the address. */
function reasonOf(error: ConnectionFailed): string {
  if (error.status !== undefined) return error.message;
  let reason: Error & { code?: string } = error;
  while (reason.cause instanceof Error) reason = reason.cause;
  return reason.message || reason.code || error.message;
}

/** The client of the operator whose variables these are. Throws a UserError for missing and wrong ones. */
export function operatorClient(env: NodeJS.ProcessEnv): { url: string; client: OperatorClient } {
  const { url, token } = accessFrom(env);
  const client = createClientFor(bouncerOperator, {
    url,
    prefix: OPERATOR_PREFIX,
    email: accountName(env),
    apiKey: token,
  });
  return { url, client };
}

function accessFrom(env: NodeJS.ProcessEnv) {
  try {
    return readOperatorAccess(env);
  } catch (error) {
    if (error instanceof BadConfig) return rethrowAsUserError(error);
    throw error;
  }
}
