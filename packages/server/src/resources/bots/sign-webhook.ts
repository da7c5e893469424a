import { createHmac } from 'node:crypto';

interface SignedDelivery {
  /** The delivery id, the same in all attempts; receivers deduplicate by it. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp`, and as
 * `webhook-signature` `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. The key is the
 * bot's token, its 32 characters as bytes; Standard Webhooks libraries take it as the secret
 * `whsec_` + base64(token).
 */
export function signatureHeaders(token: string, { id, timestamp, body }: SignedDelivery) {
  const signature = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
}
