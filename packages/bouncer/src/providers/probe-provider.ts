import { randomUUID } from 'node:crypto';

import type { ParsedPushRequests, TokenKind } from '@bellhop/protocol/bouncer';
import type { Logger } from 'pino';

import { connectProvider, type WayOut } from './connect-provider.ts';
import type { ProviderVerdict } from './provider-verdict.ts';
import type { ProviderDevice } from './provider.ts';
import type { EnvironmentConfig } from './sender-config.ts';

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

/** Drops the warnings of the connection: the verdict of the probe has the same reason. */
const silent: Pick<Logger, 'warn'> = { warn: () => {} };

interface Probe<K extends TokenKind> {
  readonly kind: K;
  readonly environment: EnvironmentConfig<K>;
  readonly device: ProviderDevice;
}

/** Sends one notification with the credentials of a sender, over a connection of its own. */
export async function probeProvider<K extends TokenKind>(
  { providerCa: ca, proxies }: WayOut,
  { kind, environment, device }: Probe<K>,
): Promise<ProviderVerdict> {
  if ('fault' in environment) return { kind: 'config_error', reason: environment.fault };
  const context = { ca, proxies, log: silent, now: Date.now };
  const connection = connectProvider(kind, environment.config, context);
  try {
    return await connection.send({ id: randomUUID(), device, request: requests[kind] }, 0);
  } finally {
    connection.close();
  }
}
