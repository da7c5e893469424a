import { randomUUID } from 'node:crypto';

import { apnsTopicSuffixes, stringifyJson } from '@bellhop/protocol/bouncer';

import { H2Pool } from '../../http2/h2-pool.ts';
import type { H2Response } from '../../http2/pending-request.ts';
import { clockSkew } from '../clock-skew.ts';
import { type LinkNotes, noteAnswer } from '../link-notes.ts';
import type { ApnsConfig } from '../provider-configs.ts';
import { judgeFailure, type ProviderVerdict } from '../provider-verdict.ts';
import type { ConnectOptions, ProviderConnection, ProviderNotification } from '../provider.ts';
import { readApnsRefusal } from './apns-verdicts.ts';
import { ProviderToken } from './provider-token.ts';

const MAX_PAYLOAD_BYTES = 4_096;
const MAX_VOIP_PAYLOAD_BYTES = 5_120;

/** Connects to one environment of APNs, with one team's key. */
export function connectApns(
  config: ApnsConfig,
  { judge, pool: poolOptions, now }: ConnectOptions,
): ProviderConnection<'apns'> {
  const pool = new H2Pool({ ...poolOptions, origin: config.url });
  const providerToken = new ProviderToken(config, now);

  async function send(
    notification: ProviderNotification<'apns'>,
    attempt: number,
    notes: LinkNotes = {},
  ): Promise<ProviderVerdict> {
    const body = stringifyJson(notification.request.payload);
    const isVoip = notification.request.http_headers.apns_push_type === 'voip';
    notes.bytes = Buffer.byteLength(body);
    notes.maxBytes = isVoip ? MAX_VOIP_PAYLOAD_BYTES : MAX_PAYLOAD_BYTES;
    if (notes.bytes > notes.maxBytes) return { kind: 'rejected', reason: 'PayloadTooLarge' };
    if (providerToken.replaceAfterClockSetBack()) pool.retireSessions();
    const bearer = providerToken.get();
    let response: H2Response;
    try {
      response = await pool.request({ ...addressOf(notification, bearer), body });
    } catch (error) {
      return judgeFailure(error, attempt);
    }
    noteAnswer(notes, response);
    if (response.status === 200) return { kind: 'accepted', providerId: nameOf(response) };
    const refusal = readApnsRefusal(response, now());
    notes.retryAfter = refusal.retryAfter;
    const verdict = judge(refusal, attempt);
    if (refusal.reason === 'TooManyProviderTokenUpdates') pool.retireSessions();
    if (refusal.reason !== 'ExpiredProviderToken') return verdict;
    const replacement = providerToken.replace(bearer);
    if (replacement === 'too_soon') {
      const skew = clockSkew(response.headers, now());
      const reason = `ExpiredProviderToken for a new token${skew ? `: ${skew}` : ''}`;
      return { kind: 'config_error', reason, at: skew === undefined ? undefined : 'clock' };
    }
    // Apple counts the tokens of each connection.
    if (replacement === 'replaced') pool.retireSessions();
    return verdict;
  }

  /** No phone has this token. Apple checks credentials and topic first, then calls it a bad token. */
  async function check(app: string | null): Promise<ProviderVerdict> {
    const verdict = await send(
      { ...harmless, id: randomUUID(), device: { ...noPhone, ios_app_id: app } },
      0,
    );
    return verdict.kind === 'dead' || ('reason' in verdict && verdict.reason === 'MissingTopic')
      ? { kind: 'accepted', providerId: undefined }
      : verdict;
  }

  return {
    send,
    check,
    state: () => ({ pool: pool.state(), credentialAgeMs: providerToken.age() }),
    close: () => pool.close(),
  };
}

const noPhone = { token: '0'.repeat(64) };
const harmless = {
  request: {
    device_id: 0,
    http_headers: { apns_priority: 5, apns_push_type: 'background' },
    payload: { push_account_id: 0n, encrypted_data: '', aps: {} },
  },
} as const;

/** Apple's delivery log finds a notification by `apns-unique-id`, which only its sandbox sends. */
function nameOf({ headers }: H2Response): string | undefined {
  const name = headers['apns-unique-id'] ?? headers['apns-id'];
  return typeof name === 'string' ? name.slice(0, 100) : undefined;
}

function addressOf({ id, device, request }: ProviderNotification<'apns'>, bearer: string) {
  const { apns_priority, apns_push_type, apns_collapse_id, apns_expiration } = request.http_headers;
  return {
    path: `/3/device/${device.token}`,
    headers: {
      authorization: `bearer ${bearer}`,
      // Every attempt has the same ID, so that Apple's log shows retries of one notification.
      'apns-id': id,
      'apns-topic': `${device.ios_app_id ?? ''}${apnsTopicSuffixes[apns_push_type]}`,
      'apns-priority': String(apns_priority),
      'apns-push-type': apns_push_type,
      ...(apns_collapse_id === undefined ? {} : { 'apns-collapse-id': apns_collapse_id }),
      ...(apns_expiration === undefined ? {} : { 'apns-expiration': String(apns_expiration) }),
      'content-type': 'application/json',
    },
  };
}
