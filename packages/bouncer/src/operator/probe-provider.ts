import { randomUUID } from 'node:crypto';

import type { ParsedPushRequests, TokenKind } from '@bellhop/protocol';
import type { Logger } from 'pino';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { connectProvider } from '../providers/connect-providers.ts';
import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import type { ProviderDevice } from '../providers/provider.ts';

const TITLE = 'Test notification of the push bouncer';

/** Notifications that no app can decrypt: iPhones show their title, Android apps get unreadable data. */
const requests: { readonly [K in TokenKind]: ParsedPushRequests[K] } = {
  apns: {
    device_id: 0,
    http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    payload: {
      push_account_id: 0n,
      encrypted_data: '',
      aps: { alert: { title: TITLE }, 'mutable-content': 1 },
    },
  },
  fcm: {
    device_id: 0,
    fcm_priority: 'high',
    payload: { push_account_id: 0n, encrypted_data: '' },
  },
  webpush: {
    device_id: 0,
    webpush_headers: { ttl: 3_600, urgency: 'high' },
    payload: { push_account_id: 0n, encrypted_data: '' },
  },
};

/** Says nothing of the connection: the verdict does. */
const silent: Pick<Logger, 'warn'> = { warn: () => {} };

/**
 * Sends one notification with the configured credentials, over a connection of its own. Undefined if
 * the provider is not configured.
 */
export async function probeProvider<K extends TokenKind>(
  config: BouncerConfig,
  kind: K,
  device: ProviderDevice,
): Promise<ProviderVerdict | undefined> {
  const credentials: BouncerConfig['providers'][K] = config.providers[kind];
  if (!credentials) return undefined;
  const context = { ca: config.providerCa, log: silent, now: Date.now };
  const connection = connectProvider(kind, credentials, context);
  try {
    return await connection.send({ id: randomUUID(), device, request: requests[kind] }, 0);
  } finally {
    connection.close();
  }
}
