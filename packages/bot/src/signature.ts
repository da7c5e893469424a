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
 * The fault of a signature (Standard Webhooks 1.0.0): HMAC-SHA256 over `id.timestamp.body`,
 * keyed with the bot's token. `wrong_clock` if it is genuine, but its time is not that of the bot.
 * Undefined for a delivery without a signature: its token is checked anyway.
 */
export function signatureFault(
  { id, timestamp, signature }: Signature,
  { token, body, now }: { token: string; body: string; now: number },
): 'wrong_signature' | 'wrong_clock' | undefined {
  if (signature === undefined) return undefined;
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return 'wrong_signature';
  const expected = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`).digest();
  const isGenuine = signature.split(' ').some((one) => {
    const [version, value = ''] = one.split(',', 2);
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isGenuine) return 'wrong_signature';
  return Math.abs(now - Number(timestamp) * 1000) > TOLERANCE_MS ? 'wrong_clock' : undefined;
}
