import { z } from 'zod';

import { byTokenKind } from '../providers/by-token-kind.ts';
import type { ProviderConfigs } from '../providers/provider.ts';
import { providers } from '../providers/providers.ts';
import { keyRingOf } from '../push/key-ring.ts';
import { json, wholeNumber } from './schemas.ts';
import { type Environment, VariableReader } from './variable-reader.ts';

export interface BouncerConfig {
  /** Public key to private key, base64. */
  readonly keys: Readonly<Record<string, string>>;
  /** Undefined for a provider without credentials: its devices get no notifications. */
  readonly providers: { readonly [K in keyof ProviderConfigs]: ProviderConfigs[K] | undefined };
  /** PEM; undefined: the public certificate authorities. */
  readonly providerCa: string | undefined;
  readonly behindProxy: boolean;
  /** Per chat server. */
  readonly requestsPerMinute: number;
  /** How long a notification is retried while its provider is unavailable. */
  readonly retrySeconds: number;
}
/** The configuration of `bellhop bouncer`. */
export interface BouncerEnvironment extends BouncerConfig {
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** The environment is unusable; the message has one line for each problem. */
export class BadConfig extends Error {}

const Keys = z
  .record(z.string(), z.string())
  .refine((keys) => Object.keys(keys).length > 0, 'must hold at least one pair');

/** Reads the environment variables of `variables`. Throws BadConfig with every problem. */
export function readConfig(env: Environment): BouncerEnvironment {
  const reader = new VariableReader(env);
  const keys = reader.require('BELLHOP_BOUNCER_KEYS', json(Keys)) ?? {};
  reader.checkKey('BELLHOP_BOUNCER_KEYS', () => keyRingOf(keys));
  const config = {
    keys,
    providers: byTokenKind<BouncerConfig['providers']>((kind) =>
      providers[kind].readConfig(reader),
    ),
    providerCa: reader.text('BELLHOP_BOUNCER_PROVIDER_CA'),
    behindProxy: reader.parse('BELLHOP_BOUNCER_BEHIND_PROXY', z.stringbool()) ?? false,
    requestsPerMinute: reader.parse('BELLHOP_BOUNCER_RATE_LIMIT', wholeNumber(1)) ?? 1_000,
    retrySeconds: reader.parse('BELLHOP_BOUNCER_RETRY_SECONDS', wholeNumber(0)) ?? 3_600,
    databaseUrl: reader.text('BELLHOP_BOUNCER_DATABASE_URL'),
    host: reader.text('BELLHOP_BOUNCER_HOST') ?? '127.0.0.1',
    port: reader.parse('BELLHOP_BOUNCER_PORT', wholeNumber(0, 65_535)) ?? 4_602,
  };
  if (reader.problems.length > 0) throw new BadConfig(reader.problems.join('\n'));
  return config;
}
