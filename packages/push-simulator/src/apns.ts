import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { apnsIdOf, readApnsHeaders, refuseDuplicates } from './apns-headers.ts';
import { ApnsRefusal, apnsReasons } from './apns-reasons.ts';
import type { Device, Devices } from './devices.ts';
import type { AcceptedNotification } from './notification.ts';
import type { ApnsKeys, TokenHistory } from './provider-token.ts';
import {
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  retryAfter,
} from './provider.ts';
import type { RateWindow } from './rate-window.ts';

const thirtyDays = 30 * 86_400_000;
const Payload = z.record(z.string(), z.unknown());

export interface ApnsOptions {
  environment: 'production' | 'sandbox';
  keys: ApnsKeys;
  devices: Devices;
  perDevice: RateWindow;
  now: () => number;
}

/** Answers requests as Apple's push service does, for one of its two environments. */
export function createApns(options: ApnsOptions): Provider {
  const histories = new WeakMap<object, TokenHistory>();
  const sandboxHeaders = (): Record<string, string> =>
    options.environment === 'sandbox' ? { 'apns-unique-id': randomUUID() } : {};

  function accept(request: ProviderRequest): ProviderAnswer {
    const token = tokenIn(request);
    refuseDuplicates(request.rawHeaders);
    const history = histories.get(request.connection) ?? {};
    histories.set(request.connection, history);
    const authorization = request.headers['authorization'];
    const key = options.keys.check(
      Array.isArray(authorization) ? authorization[0] : authorization,
      history,
      options.environment,
    );
    const { expires_at, bundle_id, ...headers } = readApnsHeaders(request.headers);
    if (!key.topics.includes(bundle_id)) throw new ApnsRefusal('TopicDisallowed');
    const payload = payloadOf(request.body, headers.push_type === 'voip' ? 5120 : 4096);
    const device = requireInstalled(token, bundle_id, options);
    if (options.perDevice.exceeded(device.token) !== undefined) {
      throw new ApnsRefusal('TooManyRequests');
    }
    const accepted: AcceptedNotification = {
      content: {
        kind: 'apns',
        token: device.token,
        ...headers,
        payload,
        body: request.body.toString('utf8'),
      },
      expires_at: expires_at ?? options.now() + thirtyDays,
    };
    return {
      status: 200,
      headers: { 'apns-id': headers.apns_id, ...sandboxHeaders() },
      body: '',
      outcome: 'accepted',
      deliver: () => options.devices.deliver(accepted),
    };
  }

  return {
    nameOf: () => 'apns',
    appTextOf: ({ body }) => body.toString('utf8'),
    tokenOf: ({ path }) => /^\/3\/device\/([^/]+)$/.exec(path)?.[1]?.toLowerCase() ?? null,
    answer(request) {
      try {
        return accept(request);
      } catch (error) {
        if (!(error instanceof ApnsRefusal)) throw error;
        return refusal(request, {
          status: apnsReasons[error.reason],
          reason: error.reason,
          timestamp: error.timestamp,
        });
      }
    },
    fail: (fault, request) => refusal(request, fault),
  };
}

function refusal(
  request: ProviderRequest,
  fault: {
    status: number;
    reason: string;
    timestamp?: number | undefined;
    retry_after?: number | string | undefined;
  },
): ProviderAnswer {
  const { status, reason, timestamp } = fault;
  return {
    status,
    headers: {
      'apns-id': apnsIdOf(request.headers),
      'content-type': 'application/json; charset=utf-8',
      ...retryAfter(fault.retry_after),
    },
    body: JSON.stringify({ reason, timestamp }),
    outcome: reason,
  };
}

function tokenIn({ method, path }: ProviderRequest): string {
  const token = /^\/3\/device(?:\/([^/?]*))?$/.exec(path);
  if (token === null) throw new ApnsRefusal('BadPath');
  if (method !== 'POST') throw new ApnsRefusal('MethodNotAllowed');
  if (token[1] === undefined || token[1] === '') throw new ApnsRefusal('MissingDeviceToken');
  return token[1];
}

function payloadOf(body: Buffer, limit: number): Record<string, unknown> {
  if (body.length > limit) throw new ApnsRefusal('PayloadTooLarge');
  try {
    return Payload.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new ApnsRefusal('PayloadEmpty');
  }
}

function requireInstalled(
  token: string,
  bundleId: string,
  { devices, environment, now }: ApnsOptions,
): Device {
  const device = /^[0-9a-f]+$/i.test(token) ? devices.find(token.toLowerCase()) : undefined;
  if (device?.kind !== 'apns' || device.environment !== environment) {
    throw new ApnsRefusal('BadDeviceToken');
  }
  if (device.app_id !== bundleId) throw new ApnsRefusal('DeviceTokenNotForTopic');
  const { uninstalled } = device;
  if (uninstalled !== null && uninstalled.noticed_at <= now()) {
    throw new ApnsRefusal(uninstalled.reason, uninstalled.noticed_at);
  }
  return device;
}
