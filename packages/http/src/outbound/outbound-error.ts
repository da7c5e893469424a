import type { OutboundResponse } from './outbound-response.ts';
import type { OutboundStep, OutboundTiming } from './step-clock.ts';

/**
 * - `timeout`: no complete response in time.
 * - `connection`: unknown host, refused, reset, untrusted certificate, or no HTTP.
 * - `blocked`: the address is forbidden.
 * - `too_large`: the response is over the limit; `response` has the part that was read, if it was not
 *   compressed.
 * - `unreadable`: the endpoint answered, and would answer so again, with something that is no HTTP or not
 *   what its headers say. `response` has status and headers if they could be read.
 * - `dns`: this server's resolver failed; not the fault of the endpoint.
 * - `canceled`: the caller's signal was aborted.
 */
export type OutboundFailure =
  | 'timeout'
  | 'connection'
  | 'blocked'
  | 'too_large'
  | 'unreadable'
  | 'dns'
  | 'canceled';

/**
 * The cause of a `connection` failure: the name does not exist, nothing listens, the connection was
 * closed before a complete response, the certificate is not trusted, the peer speaks no TLS, or no
 * network path leads there.
 */
export type ConnectionFault =
  | 'unknown_host'
  | 'refused'
  | 'closed'
  | 'certificate'
  | 'not_tls'
  | 'unreachable';

/**
 * The cause of an `unreadable` failure: no HTTP at all, HTTP with a mistake, too many bytes of headers, or
 * a body that is not in its `content-encoding` or in one that nobody knows.
 */
export type AnswerFault = 'not_http' | 'bad_http' | 'header_too_large' | 'bad_encoding';

interface Details {
  cause?: unknown;
  response?: OutboundResponse;
  fault?: ConnectionFault | AnswerFault;
  answer?: string;
}

/** A failed request to a URL that a user set. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** A sentence for the user who set the URL; names nothing of the internal network. */
  readonly safeMessage: string;
  readonly response?: OutboundResponse;
  readonly fault?: ConnectionFault | AnswerFault;
  /** What is wrong with an unreadable answer, as the rest of a sentence that begins with "the answer". */
  readonly answer?: string;
  /** The step in which the request failed, and the time it took; undefined if it was not sent. */
  measured?: { readonly step: OutboundStep; readonly timing: OutboundTiming };

  constructor(failure: OutboundFailure, safeMessage: string, details: Details = {}) {
    const { cause, response, fault, answer } = details;
    super(safeMessage, cause === undefined ? {} : { cause });
    this.failure = failure;
    this.safeMessage = safeMessage;
    if (response) this.response = response;
    if (fault) this.fault = fault;
    if (answer !== undefined) this.answer = answer;
  }
}

/** The failure of a request whose answer came and cannot be used. */
export const unreadable = (fault: AnswerFault, answer: string, details: Details): OutboundError =>
  new OutboundError('unreadable', 'The answer of the endpoint cannot be read.', {
    ...details,
    fault,
    answer,
  });
