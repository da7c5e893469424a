import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of Standard Webhooks; undefined if they are missing. */
export interface Signature {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** The largest difference between the timestamp and the clock of the bot, in milliseconds. */
const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Whether a signature (Standard Webhooks 1.0.0) is genuine: HMAC-SHA256 over `id.timestamp.body`,
 * keyed with the bot's token. True for a delivery without a signature: its token is checked anyway.
 */
export function isGenuineOrAbsent(
  { id, timestamp, signature }: Signature,
  { token, body, now }: { token: string; body: string; now: number },
): boolean {
  if (signature === undefined) return true;
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp) * 1000) > TOLERANCE_MS) return false;
  const expected = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`).digest();
  return signature.split(' ').some((one) => {
    const [version, value = ''] = one.split(',', 2);
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
