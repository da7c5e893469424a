import { randomUUID } from 'node:crypto';

import { decryptWebPush } from '@bellhop/push-crypto/web-push';

import type { Device, Devices } from './devices.ts';
import type { AcceptedNotification } from './notification.ts';
import {
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  retryAfter,
} from './provider.ts';
import { checkVapid } from './vapid.ts';
import { type WebPushError, webPushErrors, WebPushRefusal } from './webpush-errors.ts';

const maxBytes = 4096;
const maxTtl = 2_419_200;
const urgencies = ['very-low', 'low', 'normal', 'high'];

export interface WebPushOptions {
  /** The address of this push service. */
  origin: () => string;
  devices: Devices;
  now: () => number;
}

/**
 * Answers requests like a push service (RFC 8030), and decrypts each message like the browser that
 * it is for (RFC 8291). The browser drops a message that it cannot decrypt.
 */
export function createWebPush({ origin, devices, now }: WebPushOptions): Provider {
  const tokenOf = ({ path }: ProviderRequest) => `${origin()}${path}`;

  function accept(request: ProviderRequest): ProviderAnswer {
    const device = devices.find(tokenOf(request));
    if (request.method !== 'POST') throw new WebPushRefusal('bad_request');
    const key = checkVapid(request.headers['authorization'], { audience: origin(), now: now() });
    if (device?.kind !== 'webpush' || !device.subscription) throw new WebPushRefusal('not_found');
    if (key !== device.subscription.application_server_key) throw new WebPushRefusal('forbidden');
    if (device.uninstalled !== null && device.uninstalled.noticed_at <= now())
      throw new WebPushRefusal('gone');
    const headers = readHeaders(request.headers);
    if (request.body.length > maxBytes) throw new WebPushRefusal('payload_too_large');
    const id = randomUUID();
    const { ttl } = headers;
    return {
      status: 201,
      headers: { location: `${origin()}/messages/${id}`, ttl: String(ttl) },
      body: '',
      outcome: 'accepted',
      deliver() {
        const body = decrypted(request.body, device);
        if (body === undefined) return 'undecryptable';
        const accepted: AcceptedNotification = {
          content: { kind: 'webpush', token: device.token, message_id: id, ...headers, body },
          expires_at: now() + ttl * 1000,
        };
        return devices.deliver(accepted);
      },
    };
  }

  return {
    nameOf: () => 'webpush',
    tokenOf,
    appTextOf(request) {
      const device = devices.find(tokenOf(request));
      return device && decrypted(request.body, device);
    },
    answer(request) {
      try {
        return accept(request);
      } catch (error) {
        if (!(error instanceof WebPushRefusal)) throw error;
        const [status] = webPushErrors[error.reason];
        return refusal({ status, reason: error.reason });
      }
    },
    fail: (fault) => refusal(fault),
  };
}

function decrypted(body: Buffer, { subscription }: Device): string | undefined {
  try {
    return subscription ? decryptWebPush(body, subscription).toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}

function readHeaders(headers: ProviderRequest['headers']) {
  const { ttl, urgency = 'normal', topic } = headers;
  const isTtl = typeof ttl === 'string' && /^\d{1,10}$/.test(ttl);
  const isUrgency = typeof urgency === 'string' && urgencies.includes(urgency);
  const isTopic = topic === undefined || (typeof topic === 'string' && /^[\w-]{1,32}$/.test(topic));
  if (!isTtl || !isUrgency || !isTopic || headers['content-encoding'] !== 'aes128gcm')
    throw new WebPushRefusal('bad_request');
  return { ttl: Math.min(Number(ttl), maxTtl), urgency, topic: topic ?? null };
}

interface Refused {
  status: number;
  reason: string;
  retry_after?: number | string | undefined;
}

const refusal = ({ status, reason, retry_after }: Refused): ProviderAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...retryAfter(retry_after) },
  body: JSON.stringify({ error: reason, message: explanationOf(reason) }),
  outcome: reason,
});

const explanationOf = (reason: string): string =>
  Object.hasOwn(webPushErrors, reason)
    ? webPushErrors[reason as WebPushError][1]
    : 'A fault is switched on';
