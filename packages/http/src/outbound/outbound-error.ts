import type { OutboundResponse } from './outbound-response.ts';
import type { OutboundStep, OutboundTiming } from './step-clock.ts';

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

/**
 * The cause of a `connection` failure: the name does not exist, nothing listens, the connection was
 * closed before a complete response, the certificate is not trusted, the peer speaks no TLS or no
 * HTTP, or no network path leads there.
 */
export type ConnectionFault =
  | 'unknown_host'
  | 'refused'
  | 'closed'
  | 'certificate'
  | 'not_tls'
  | 'not_http'
  | 'unreachable';

interface Details {
  cause?: unknown;
  response?: OutboundResponse;
  fault?: ConnectionFault;
}

/** A failed request to a URL that a user set. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** A sentence for the user who set the URL; names nothing of the internal network. */
  readonly safeMessage: string;
  readonly response?: OutboundResponse;
  readonly fault?: ConnectionFault;
  /** The step in which the request failed, and the time it took; undefined if it was not sent. */
  measured?: { readonly step: OutboundStep; readonly timing: OutboundTiming };

  constructor(failure: OutboundFailure, safeMessage: string, details: Details = {}) {
    const { cause, response, fault } = details;
    super(safeMessage, cause === undefined ? {} : { cause });
    this.failure = failure;
    this.safeMessage = safeMessage;
    if (response) this.response = response;
    if (fault) this.fault = fault;
  }
}
