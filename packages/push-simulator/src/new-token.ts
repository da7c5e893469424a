import { randomBytes } from 'node:crypto';

/** A device token of the shape the provider gives out. */
export function newToken(kind: 'apns' | 'fcm'): string {
  if (kind === 'apns') return randomBytes(32).toString('hex');
  return `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(100).toString('base64url')}`;
}

/** Whether Google would take this text for a token at all. */
export function looksLikeFcmToken(token: string): boolean {
  return /^[\w-]{11,}:[\w-]{100,}$/.test(token);
}
