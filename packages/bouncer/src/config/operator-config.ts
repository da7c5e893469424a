import { type Environment, VariableReader } from '../settings/variable-reader.ts';
import { BadConfig } from './bouncer-config.ts';
import { readKeys } from './read-keys.ts';
import { variables } from './variables.ts';

/** The part of the configuration of `bellhop bouncer` that operator commands read. */
export interface OperatorConfig {
  readonly databaseUrl: string | undefined;
  /** Public key to private key, base64. */
  readonly keys: Readonly<Record<string, string>>;
  readonly encryptionKeys: readonly string[];
}

/** Throws BadConfig with every problem. */
export function readOperatorConfig(env: Environment): OperatorConfig {
  const reader = new VariableReader(env, variables);
  const config = {
    databaseUrl: reader.text('BELLHOP_BOUNCER_DATABASE_URL'),
    ...readKeys(reader),
  };
  if (reader.problems.length > 0) throw new BadConfig(reader.problems);
  return config;
}
