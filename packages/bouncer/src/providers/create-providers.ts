import type { Logger } from 'pino';

import type { Providers } from '../app.ts';
import type { BouncerConfig } from '../config/config.ts';
import { createApns } from './apns/apns.ts';
import { createFcm } from './fcm/fcm.ts';

const REQUEST_TIMEOUT_MS = 4_000;

/** The providers that are configured. Throws if a key cannot be used. */
export function createProviders(
  { apns, fcm, providerCa: ca }: BouncerConfig,
  { log, now }: { log: Logger; now: () => number },
): Providers {
  const poolOf = (origin: string, provider: string) => ({
    origin,
    ca,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    trouble: (what: string, error?: Error) =>
      log.warn({ provider, ...(error ? { reason: error.message } : {}) }, what),
  });
  return {
    apns: apns && createApns({ key: apns, pool: poolOf(apns.url, 'apns'), now }),
    fcm: fcm && createFcm({ account: fcm.account, pool: poolOf(fcm.url, 'fcm'), now }),
  };
}
