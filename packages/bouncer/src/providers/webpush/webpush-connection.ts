import { createOutbound, OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import { normalHost, stringifyJson } from '@bellhop/protocol/bouncer';
import {
  encryptWebPush,
  MAX_WEB_PUSH_BYTES,
  requireWebPushKeys,
} from '@bellhop/push-crypto/web-push';

import type { LinkNotes } from '../link-notes.ts';
import type { WebPushConfig } from '../provider-configs.ts';
import { judgeFailure, type ProviderVerdict } from '../provider-verdict.ts';
import type {
  ConnectOptions,
  ProviderConnection,
  ProviderDevice,
  ProviderNotification,
} from '../provider.ts';
import { VapidTokens } from './vapid-token.ts';
import { readUndelivered, readWebPushRefusal } from './webpush-verdicts.ts';

/** Connects to the push services that browsers name in their registrations. */
export function connectWebPush(
  config: WebPushConfig,
  { judge, pool: { ca, proxies, requestTimeoutMs }, now }: ConnectOptions,
): ProviderConnection<'webpush'> {
  const { allow } = config;
  const outbound = createOutbound({
    allow,
    userAgent: 'BellhopBouncer/0.1',
    ...(proxies ? { proxies } : {}),
    // With `any`, strangers choose the host.
    trusts: (url) => config.hosts !== 'any' && permits(config, url),
    ...(ca === undefined ? {} : { ca: [ca] }),
  });
  const vapid = new VapidTokens(config, now);

  function refusalOf({ token, webpush_keys }: ProviderDevice): string | undefined {
    if (!permits(config, new URL(token)))
      return 'the host of the endpoint is not in BELLHOP_BOUNCER_WEBPUSH_HOSTS';
    try {
      outbound.checkUrl(token);
      if (webpush_keys) requireWebPushKeys(webpush_keys);
      return webpush_keys ? undefined : 'the keys of the browser are missing';
    } catch (error) {
      return (error as Error).message;
    }
  }

  async function send(
    notification: ProviderNotification<'webpush'>,
    attempt: number,
    notes: LinkNotes = {},
  ): Promise<ProviderVerdict> {
    const { device, request } = notification;
    const plaintext = Buffer.from(stringifyJson(request.payload));
    notes.bytes = plaintext.length;
    notes.maxBytes = MAX_WEB_PUSH_BYTES;
    if (plaintext.length > MAX_WEB_PUSH_BYTES)
      return { kind: 'rejected', reason: 'message too large' };
    const refusal = refusalOf(device);
    if (refusal !== undefined || !device.webpush_keys)
      return { kind: 'rejected', reason: refusal ?? '' };
    let response: OutboundResponse;
    try {
      response = await outbound.post(device.token, {
        body: encryptWebPush(plaintext, device.webpush_keys),
        headers: headersOf(notification),
        ...(requestTimeoutMs === undefined ? {} : { totalTimeoutMs: requestTimeoutMs }),
      });
    } catch (error) {
      if (error instanceof OutboundError && error.fault === 'address_forbidden')
        return { kind: 'rejected', reason: error.safeMessage };
      // The status says what became of the message, also if the rest of the answer cannot be used.
      if (!(error instanceof OutboundError) || !error.response) return judgeFailure(error, attempt);
      ({ response } = error);
    }
    notes.status = response.status;
    const isSuccess = response.status >= 200 && response.status < 300;
    const answered = isSuccess
      ? readUndelivered(response, now())
      : readWebPushRefusal(response, now());
    if (!answered) return { kind: 'accepted', providerId: response.location?.slice(0, 200) };
    notes.retryAfter = answered.retryAfter;
    return judge(answered, attempt);
  }

  function headersOf({ device, request, expiresAt }: ProviderNotification<'webpush'>) {
    const { ttl, urgency, topic } = request.webpush_headers;
    // A retry does not prolong the time to live.
    const left = expiresAt === undefined ? ttl : Math.ceil((expiresAt - now()) / 1_000);
    const rest = Math.max(0, Math.min(ttl, left));
    const { origin, hostname } = new URL(device.token);
    return {
      authorization: vapid.authorization(origin),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(rest),
      urgency,
      ...ownHeaders(hostname, rest),
      ...(topic === undefined ? {} : { topic }),
    };
  }

  return {
    send,
    refusalOf,
    state: () => ({ pool: undefined, credentialAgeMs: undefined }),
    close: () => void outbound.close(),
  };
}

/** Whether a push service is at this host and port. */
function permits({ hosts }: WebPushConfig, url: URL): boolean {
  if (hosts === 'any') return true;
  const host = normalHost(url.host) ?? '';
  return hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));
}

/** Windows refuses a time to live that contradicts its own header, whose default is to keep. */
export const ownHeaders = (hostname: string, ttl: number): Readonly<Record<string, string>> =>
  hostname.endsWith('.notify.windows.com')
    ? { 'x-wns-cache-policy': ttl === 0 ? 'no-cache' : 'cache' }
    : {};
