import { createHmac } from 'node:crypto';

interface Signed {
  /** The same over all attempts of one delivery. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks as the server sends them; the key is the bot's token. */
export function signatureHeaders(token: string, { id, timestamp, body }: Signed) {
  const digest = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest}`,
  };
}
