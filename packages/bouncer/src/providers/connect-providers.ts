import { createHash } from 'node:crypto';

import { TokenKind } from '@bellhop/protocol';
import type { Logger } from 'pino';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { byTokenKind } from './by-token-kind.ts';
import { judgeBy } from './provider-verdict.ts';
import type { ProviderConfigs, ProviderConnection } from './provider.ts';
import { providers } from './providers.ts';

/** Undefined for a provider that is not configured. */
export type ProviderConnections = {
  readonly [K in keyof ProviderConfigs]: ProviderConnection<K> | undefined;
};

export interface ConnectionContext {
  /** PEM; undefined: the public certificate authorities. */
  readonly ca: string | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

const REQUEST_TIMEOUT_MS = 4_000;

/** Connects to a provider. Throws if a key cannot be used. */
export function connectProvider<K extends TokenKind>(
  kind: K,
  config: ProviderConfigs[K],
  { ca, log, now }: ConnectionContext,
): ProviderConnection<K> {
  const { connect, verdicts } = providers[kind];
  const pool = {
    ca,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    trouble: (what: string, error?: Error) =>
      log.warn({ provider: kind, ...(error ? { reason: error.message } : {}) }, what),
  };
  return connect(config, { judge: judgeBy(verdicts), pool, now });
}

/** Connects to the providers that are configured. Throws if a key cannot be used. */
export function connectProviders(
  config: BouncerConfig,
  context: Omit<ConnectionContext, 'ca'>,
): ProviderConnections {
  const connect = <K extends TokenKind>(kind: K): ProviderConnection<K> | undefined => {
    const credentials: BouncerConfig['providers'][K] = config.providers[kind];
    return credentials && connectProvider(kind, credentials, { ca: config.providerCa, ...context });
  };
  const connections: ProviderConnections = {
    apns: connect('apns'),
    fcm: connect('fcm'),
    webpush: connect('webpush'),
  };
  for (const { title, credential } of TokenKind.options
    .filter((kind) => connections[kind] === undefined)
    .map((kind) => providers[kind]))
    context.log.warn(`${title} is not configured: its devices get nothing; set ${credential}`);
  return connections;
}

/** A hash of each provider's configuration, the same on all nodes that have the same. */
export const hashConfigs = (config: BouncerConfig): Readonly<Record<TokenKind, Buffer>> =>
  byTokenKind((kind) =>
    createHash('sha256')
      .update(JSON.stringify(config.providers[kind] ?? null))
      .digest(),
  );
