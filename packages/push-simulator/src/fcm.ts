import { randomUUID } from 'node:crypto';

import type { Device, Devices } from './devices.ts';
import {
  badField,
  type FcmErrorCode,
  fcmErrorAnswer,
  fcmErrorCodes,
  fcmRefusal,
  FcmRefusal,
  quotaFailure,
} from './fcm-errors.ts';
import { fcmDataIn, type FcmMessage, fcmTokenIn, readFcmMessage } from './fcm-message.ts';
import { looksLikeFcmToken } from './new-token.ts';
import type { AcceptedNotification } from './notification.ts';
import { type OAuth, oauthError } from './oauth.ts';
import {
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  retryAfter,
} from './provider.ts';
import type { RateWindow } from './rate-window.ts';

export interface FcmOptions {
  project_id: string;
  oauth: OAuth;
  devices: Devices;
  perDevice: RateWindow;
  perProject: RateWindow;
  now: () => number;
}

/** Answers requests as FCM's HTTP v1 API and Google's token endpoint do. */
export function createFcm(options: FcmOptions): Provider {
  let errorCount = 0;

  function send(request: ProviderRequest): ProviderAnswer {
    checkAccess(request, options);
    const message = readFcmMessage(request.body);
    const quota = options.perProject.exceeded(options.project_id);
    if (quota !== undefined) throw quotaRefusal(`project:${options.project_id}`, quota);
    const device = requireInstalled(message, options);
    const name = `projects/${options.project_id}/messages/${newMessageId(options.now())}`;
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify({ name }),
    };
    if (message.validate_only) return { ...answer, outcome: 'validated' };
    const wait = options.perDevice.exceeded(device.token);
    if (wait !== undefined) throw quotaRefusal('device', wait);
    const { priority, collapse_key, data } = message;
    const accepted: AcceptedNotification = {
      content: {
        kind: 'fcm',
        token: device.token,
        message_id: name,
        priority,
        collapse_key,
        data,
      },
      expires_at: options.now() + message.ttl_seconds * 1000,
    };
    return { ...answer, outcome: 'accepted', deliver: () => options.devices.deliver(accepted) };
  }

  return {
    nameOf: ({ path }) => (path === '/token' ? 'oauth' : 'fcm'),
    appTextOf: ({ body }) => fcmDataIn(body),
    tokenOf: ({ path, body }) => (path === '/token' ? null : fcmTokenIn(body)),
    answer(request) {
      if (request.path === '/token') return options.oauth.exchange(request);
      try {
        return send(request);
      } catch (error) {
        if (!(error instanceof FcmRefusal)) throw error;
        return fcmErrorAnswer(error, errorCount++);
      }
    },
    fail({ status, reason, retry_after }, { path }) {
      if (path === '/token') {
        const answer = oauthError(reason, 'A fault is switched on', status);
        return { ...answer, headers: { ...answer.headers, ...retryAfter(retry_after) } };
      }
      return fcmErrorAnswer(faultRefusal(status, reason, retry_after), errorCount++);
    },
  };
}

function checkAccess({ method, path, headers }: ProviderRequest, options: FcmOptions): void {
  const project = /^\/v1\/projects\/([^/?]+)\/messages:send(?:\?.*)?$/.exec(path)?.[1];
  if (project === undefined || method !== 'POST') {
    throw new FcmRefusal({ status: 404, statusWord: 'NOT_FOUND', message: 'No such method.' });
  }
  if (!options.oauth.accepts(headers['authorization'])) {
    throw new FcmRefusal({
      status: 401,
      statusWord: 'UNAUTHENTICATED',
      message: 'The request had no valid OAuth 2 access token.',
    });
  }
  if (project !== options.project_id) {
    throw new FcmRefusal({
      status: 403,
      statusWord: 'PERMISSION_DENIED',
      message: "Permission 'cloudmessaging.messages.create' denied on this project.",
    });
  }
}

function requireInstalled({ token }: FcmMessage, { devices, project_id, now }: FcmOptions): Device {
  if (!looksLikeFcmToken(token) && devices.find(token)?.kind !== 'fcm') {
    const message = 'The registration token is not a valid FCM registration token';
    const details = [badField('message.token', message)];
    throw fcmRefusal('INVALID_ARGUMENT', { message, details });
  }
  const device = devices.find(token);
  if (device?.kind !== 'fcm') throw fcmRefusal('UNREGISTERED');
  if (device.project_id !== project_id) throw fcmRefusal('SENDER_ID_MISMATCH');
  if (device.uninstalled !== null && device.uninstalled.noticed_at <= now()) {
    throw fcmRefusal('UNREGISTERED');
  }
  return device;
}

function quotaRefusal(subject: string, seconds: number): FcmRefusal {
  return fcmRefusal('QUOTA_EXCEEDED', { details: [quotaFailure(subject)], retryAfter: seconds });
}

function faultRefusal(
  status: number,
  reason: string,
  retry: number | string | undefined,
): FcmRefusal {
  const known = Object.keys(fcmErrorCodes).includes(reason)
    ? fcmErrorCodes[reason as FcmErrorCode]
    : undefined;
  const details = known === undefined ? [] : fcmRefusal(reason as FcmErrorCode).details;
  return new FcmRefusal({
    status,
    statusWord: known?.[1] ?? reason,
    message: known?.[2] ?? 'A fault is switched on',
    details: reason === 'QUOTA_EXCEEDED' ? [...details, quotaFailure('project')] : details,
    outcome: reason,
    retryAfter: retry,
  });
}

function newMessageId(now: number): string {
  return `0:${now}%${randomUUID().replaceAll('-', '')}`;
}
