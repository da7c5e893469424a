import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { ServiceAccount } from '../providers/fcm/access-token.ts';
import { keyRingOf } from '../push/key-ring.ts';
import { type Variable, type VariableName, variables } from './variables.ts';

export interface BouncerConfig {
  /** Public key to private key, base64. */
  readonly keys: Readonly<Record<string, string>>;
  readonly apns: ApnsConfig | undefined;
  readonly fcm: FcmConfig | undefined;
  /** PEM; the public authorities if undefined. */
  readonly providerCa: string | undefined;
  readonly behindProxy: boolean;
  readonly requestsPerMinute: number;
  readonly retrySeconds: number;
}
export interface ApnsConfig {
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly privateKey: string;
}
export interface FcmConfig {
  readonly url: string;
  readonly account: ServiceAccount;
}
/** What the command needs besides. */
export interface BouncerEnvironment extends BouncerConfig {
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** All that is wrong with the environment, a line each. */
export class BadConfig extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const AppleId = z.string().regex(/^[A-Z0-9]{10}$/, 'must be 10 capital letters and digits');
const Origin = z.url().transform((url) => new URL(url).origin);
const Keys = z
  .record(z.string(), z.string())
  .refine((keys) => Object.keys(keys).length > 0, 'must hold at least one pair');

/** Reads the environment (see `variables`). Throws BadConfig, which names every problem at once. */
export function readConfig(env: Environment): BouncerEnvironment {
  const problems: string[] = [];
  const text = (name: VariableName) => valueOf(env, name, problems);
  function read<T>(name: VariableName, schema: z.ZodType<T>): T | undefined {
    const value = text(name);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    problems.push(`${name}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
    return undefined;
  }
  const needed = (name: VariableName) => problems.push(`${name} is not set`);

  const keys = read('BELLHOP_BOUNCER_KEYS', json(Keys));
  if (text('BELLHOP_BOUNCER_KEYS') === undefined) needed('BELLHOP_BOUNCER_KEYS');
  if (keys) tryTo(() => keyRingOf(keys), 'BELLHOP_BOUNCER_KEYS', problems);

  const config = {
    keys: keys ?? {},
    apns: apnsOf(),
    fcm: fcmOf(),
    providerCa: text('BELLHOP_BOUNCER_PROVIDER_CA'),
    behindProxy: read('BELLHOP_BOUNCER_BEHIND_PROXY', z.stringbool()) ?? false,
    requestsPerMinute: read('BELLHOP_BOUNCER_RATE_LIMIT', wholeNumber(1)) ?? 1_000,
    retrySeconds: read('BELLHOP_BOUNCER_RETRY_SECONDS', wholeNumber(0)) ?? 3_600,
    databaseUrl: text('BELLHOP_BOUNCER_DATABASE_URL'),
    host: text('BELLHOP_BOUNCER_HOST') ?? '127.0.0.1',
    port: read('BELLHOP_BOUNCER_PORT', wholeNumber(0, 65_535)) ?? 4_602,
  };
  if (problems.length > 0) throw new BadConfig([...new Set(problems)].join('\n'));
  return config;

  function apnsOf(): ApnsConfig | undefined {
    const privateKey = text('BELLHOP_BOUNCER_APNS_KEY');
    if (privateKey === undefined) return undefined;
    const keyId = read('BELLHOP_BOUNCER_APNS_KEY_ID', AppleId);
    const teamId = read('BELLHOP_BOUNCER_APNS_TEAM_ID', AppleId);
    for (const name of ['BELLHOP_BOUNCER_APNS_KEY_ID', 'BELLHOP_BOUNCER_APNS_TEAM_ID'] as const)
      if (text(name) === undefined) needed(name);
    const url = read('BELLHOP_BOUNCER_APNS_URL', Origin);
    tryTo(() => createPrivateKey(privateKey), 'BELLHOP_BOUNCER_APNS_KEY', problems);
    return keyId && teamId && url ? { url, keyId, teamId, privateKey } : undefined;
  }

  function fcmOf(): FcmConfig | undefined {
    const account = read('BELLHOP_BOUNCER_FCM_ACCOUNT', json(ServiceAccount));
    const url = read('BELLHOP_BOUNCER_FCM_URL', Origin);
    if (account)
      tryTo(() => createPrivateKey(account.private_key), 'BELLHOP_BOUNCER_FCM_ACCOUNT', problems);
    return account && url ? { account, url } : undefined;
  }
}

function valueOf(env: Environment, name: VariableName, problems: string[]): string | undefined {
  const variable: Variable = variables[name];
  const given = env[name];
  if (given !== undefined && given !== '') return given;
  const path = variable.orFile ? env[`${name}_FILE`] : undefined;
  if (path === undefined || path === '') return variable.default;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    problems.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function tryTo(check: () => unknown, name: VariableName, problems: string[]): void {
  try {
    check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${name} holds an unusable key: ${reason}`);
  }
}

const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const json = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('must be JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
