import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { constants } from 'node:http2';

export interface H2Request {
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}
export interface H2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
/** An answer and the way that it took. */
export interface H2Response extends H2Answer {
  /** The number of the connection in this process. */
  readonly session: number;
  /** Milliseconds until a connection had room for the request. */
  readonly waitedMs: number;
}

/**
 * Why a request has no response. `connect`: it was not sent. `broken` and `timeout`: the peer may have
 * processed it.
 */
export type H2FailureKind = 'connect' | 'broken' | 'timeout' | 'too_large' | 'closed';

export class H2Failure extends Error {
  readonly kind: H2FailureKind;

  constructor(kind: H2FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'H2Failure';
    this.kind = kind;
  }
}

/** A request in the pool. It may be sent on several sessions, one after the other; it settles once. */
export class PendingRequest {
  readonly request: H2Request;
  readonly body: Buffer;
  readonly response: Promise<H2Response>;
  /** How often a peer refused the request without processing it. */
  refusals = 0;
  readonly #createdAt = performance.now();
  #sentAt = this.#createdAt;
  #stream: ClientHttp2Stream | undefined;
  readonly #settle: PromiseWithResolvers<H2Response>;
  readonly #deadline: NodeJS.Timeout;
  #settled = false;

  constructor(request: H2Request, timeoutMs: number) {
    this.request = request;
    this.body = Buffer.from(request.body);
    this.#settle = Promise.withResolvers<H2Response>();
    this.response = this.#settle.promise;
    this.#deadline = setTimeout(
      () => this.fail(new H2Failure('timeout', `no complete response within ${timeoutMs} ms`)),
      timeoutMs,
    );
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Milliseconds from the request to the stream that it was last sent on. */
  get waitedMs(): number {
    return this.#sentAt - this.#createdAt;
  }

  /** Sets the stream to cancel if the request fails. */
  sentOn(stream: ClientHttp2Stream): void {
    this.#stream = stream;
    this.#sentAt = performance.now();
  }

  succeed(response: H2Response): void {
    if (this.#finish()) this.#settle.resolve(response);
  }

  fail(failure: H2Failure): void {
    if (!this.#finish()) return;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#settle.reject(failure);
  }

  #finish(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    return true;
  }
}
