import { wholeNumber } from '../settings/schemas.ts';
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

/** How an operator's command reaches the running bouncer. */
export interface OperatorAccess {
  readonly url: string;
  readonly token: string;
}

/** Addresses that mean every address of this machine. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Throws BadConfig with every problem. */
export function readOperatorAccess(env: Environment): OperatorAccess {
  const reader = new VariableReader(env, variables);
  const token = reader.text('BELLHOP_BOUNCER_OPERATOR_TOKEN');
  if (token === undefined)
    reader.report([
      'BELLHOP_BOUNCER_OPERATOR_TOKEN is not set: give the command that of the bouncer ("bellhop secrets operator" makes one)',
    ]);
  const url = env['BELLHOP_BOUNCER_URL'] || ownUrl(reader);
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    reader.report([
      `BELLHOP_BOUNCER_URL: ${url} is no HTTP address. Write one such as http://127.0.0.1:8081`,
    ]);
  if (reader.problems.length > 0 || token === undefined) throw new BadConfig(reader.problems);
  return { url, token };
}

/** The address at which a bouncer with these variables listens on this machine. */
function ownUrl(reader: VariableReader): string {
  const host = reader.text('BELLHOP_BOUNCER_HOST') ?? '127.0.0.1';
  const port = reader.parse('BELLHOP_BOUNCER_PORT', wholeNumber(0, 65_535)) ?? 1;
  if (port === 0)
    reader.report([
      'BELLHOP_BOUNCER_PORT is 0, any free port: set BELLHOP_BOUNCER_URL to the address that the bouncer told at its start',
    ]);
  const address = ANY_ADDRESS[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
