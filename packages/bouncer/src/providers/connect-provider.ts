import type { Proxies } from '@bellhop/http/proxy';
import type { TokenKind } from '@bellhop/protocol/bouncer';
import type { Logger } from 'pino';

import type { ProviderConfigs } from './provider-configs.ts';
import { judgeBy } from './provider-verdict.ts';
import type { ProviderConnection } from './provider.ts';
import { providers } from './providers.ts';

/** How the bouncer reaches its providers. */
export interface WayOut {
  readonly proxies: Proxies;
  /** PEM, the public certificate authorities among them; undefined: only those. */
  readonly providerCa: string | undefined;
}

export interface ConnectionContext {
  /** PEM; undefined: the public certificate authorities. */
  readonly ca: string | undefined;
  readonly proxies: Proxies;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

const REQUEST_TIMEOUT_MS = 4_000;

/** Connects to a provider. Throws if a key cannot be used. */
export function connectProvider<K extends TokenKind>(
  kind: K,
  config: ProviderConfigs[K],
  { ca, proxies, log, now }: ConnectionContext,
): ProviderConnection<K> {
  const { connect, verdicts } = providers[kind];
  const pool = {
    ca,
    proxies,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    trouble: (what: string, error?: Error) =>
      log.warn({ provider: kind, ...(error ? { reason: error.message } : {}) }, what),
  };
  return connect(config, { judge: judgeBy(verdicts), pool, now });
}
