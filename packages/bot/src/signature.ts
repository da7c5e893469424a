import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of Standard Webhooks, as far as they are there. */
export interface Signature {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** How far the clocks of server and bot may be apart, and how long a delivery may be under way. */
const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Whether a signature (Standard Webhooks 1.0.0) is genuine: HMAC-SHA256 over `id.timestamp.body`,
 * keyed with the bot's token. A delivery without one has only its token to show, which is checked
 * anyway; one that has it must be right about it.
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
