import { randomBytes } from 'node:crypto';

import type { DeviceKind } from './device-kind.ts';

/** A new device token in the form of each provider. */
export const newToken: Readonly<Record<DeviceKind, () => string>> = {
  apns: () => randomBytes(32).toString('hex'),
  fcm: () =>
    `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(100).toString('base64url')}`,
};

/** Whether Google would take this text for a token at all. */
export function looksLikeFcmToken(token: string): boolean {
  return /^[\w-]{11,}:[\w-]{100,}$/.test(token);
}
