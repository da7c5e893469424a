import type { OutboundResponse } from './outbound-response.ts';

/**
 * - `timeout`: no complete response in time.
 * - `connection`: unknown host, refused, reset, untrusted certificate, or no HTTP.
 * - `blocked`: the address is forbidden.
 * - `too_large`: the response is over the limit; `response` has the part that was read.
 * - `dns`: this server's resolver failed; not the fault of the endpoint.
 * - `canceled`: the caller's signal was aborted.
 */
export type OutboundFailure =
  | 'timeout'
  | 'connection'
  | 'blocked'
  | 'too_large'
  | 'dns'
  | 'canceled';

interface Details {
  cause?: unknown;
  response?: OutboundResponse;
}

/** A failed request to a URL that a user set. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** A sentence for the user who set the URL; names nothing of the internal network. */
  readonly safeMessage: string;
  readonly response?: OutboundResponse;

  constructor(failure: OutboundFailure, safeMessage: string, { cause, response }: Details = {}) {
    super(safeMessage, cause === undefined ? {} : { cause });
    this.failure = failure;
    this.safeMessage = safeMessage;
    if (response) this.response = response;
  }
}
