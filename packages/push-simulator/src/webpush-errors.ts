/** How a push service refuses a request (RFC 8030, RFC 8292): HTTP status and explanation. */
export const webPushErrors = {
  bad_request: [400, 'A header is missing or malformed'],
  unauthorized: [401, 'The VAPID token is missing, malformed, expired or wrongly signed'],
  forbidden: [403, 'The VAPID key is not the one that the browser subscribed with'],
  not_found: [404, 'There is no such subscription'],
  gone: [410, 'The subscription has ended'],
  payload_too_large: [413, 'The message is larger than 4096 bytes'],
  too_many_requests: [429, 'Too many messages'],
  unavailable: [503, 'The push service is not available: try again later'],
} as const satisfies Record<string, readonly [number, string]>;
export type WebPushError = keyof typeof webPushErrors;

/** Thrown to refuse a request. */
export class WebPushRefusal extends Error {
  override readonly name = 'WebPushRefusal';
  readonly reason: WebPushError;

  constructor(reason: WebPushError) {
    super(reason);
    this.reason = reason;
  }
}
