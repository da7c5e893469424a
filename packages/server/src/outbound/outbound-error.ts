import type { OutboundResponse } from './outbound-response.ts';

/**
 * - `timeout`: no complete answer in time.
 * - `connection`: no such host, refused, reset, TLS not trusted, not HTTP.
 * - `blocked`: we do not send there.
 * - `too_large`: the answer was cut; `response` holds the part that was read.
 * - `dns`: our resolver did not answer; not the fault of the endpoint.
 * - `canceled`: the caller's signal.
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

/** Why a request of ours to an address given by a user failed. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** A sentence to show to whoever set the URL: names nothing inside our network. */
  readonly safeMessage: string;
  readonly response?: OutboundResponse;

  constructor(failure: OutboundFailure, safeMessage: string, { cause, response }: Details = {}) {
    super(safeMessage, cause === undefined ? {} : { cause });
    this.failure = failure;
    this.safeMessage = safeMessage;
    if (response) this.response = response;
  }
}
