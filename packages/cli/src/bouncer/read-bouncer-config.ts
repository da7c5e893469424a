import { BadConfig, type BouncerEnvironment, readConfig } from '@bellhop/bouncer/operator';

import { rethrowAsUserError } from '../command-line/user-error.ts';

/** The configuration of the bouncer, for an operator's command. Throws a UserError with its faults. */
export function readBouncerConfig(): BouncerEnvironment {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof BadConfig) return rethrowAsUserError(error);
    throw error;
  }
}
