import { createHmac } from 'node:crypto';

export interface SignedDelivery {
  /** The same in all attempts of a delivery. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0.0; the key is the bot's token. */
export function signatureHeaders(
  token: string,
  { id, timestamp, body }: SignedDelivery,
): Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string> {
  const digest = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest}`,
  };
}
