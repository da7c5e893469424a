import { randomBytes } from 'node:crypto';

import type { DeviceKind } from './device-kind.ts';

/**
 * A new device token in the form of each provider; for a browser, the endpoint of its subscription.
 */
export const newToken: Readonly<Record<DeviceKind, (pushService: string) => string>> = {
  apns: () => randomBytes(32).toString('hex'),
  fcm: () =>
    `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(100).toString('base64url')}`,
  webpush: (pushService) => `${pushService}/push/${randomBytes(24).toString('base64url')}`,
};

/** Whether a text has the form of an FCM token. */
export function looksLikeFcmToken(token: string): boolean {
  return /^[\w-]{11,}:[\w-]{100,}$/.test(token);
}
