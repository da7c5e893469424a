import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';

import { decodeContent, UndecodableContent } from '@bellhop/http/answers';
import type { Proxies } from '@bellhop/http/proxy';
import { decodeText } from '@bellhop/protocol/bouncer';

import { connectH2 } from './connect-h2.ts';
import { type PendingRequest, H2Failure } from './pending-request.ts';

export interface H2SessionOptions {
  readonly origin: string;
  /** PEM certificates to trust instead of the public authorities. */
  readonly ca?: string | undefined;
  /** Default: the connection is direct. */
  readonly proxies?: Proxies | undefined;
  readonly connectTimeoutMs: number;
  /** The time between pings with and without open requests, in milliseconds. */
  readonly pingBusyMs: number;
  readonly pingIdleMs: number;
  readonly pingTimeoutMs: number;
  /** How long the first request of a connection is alone on it, in milliseconds, if no answer comes. */
  readonly firstAnswerMs: number;
  readonly maxResponseBytes: number;
  readonly maxStreams: number;
}

export interface H2SessionListener {
  open(): void;
  /** The peer sent GOAWAY with this debug text. */
  draining(reason: string): void;
  /** A stream closed: there may be room for another. */
  room(): void;
  /** The peer did not process this request: it may be sent again. */
  refused(pending: PendingRequest): void;
  gone(error: Error | undefined): void;
}

let sessions = 0;

/** One HTTP/2 connection. Respects the peer's window and stream limit; pings detect a silent peer. */
export class H2Session {
  /** The number of the session in this process, from 1. */
  readonly #number = ++sessions;
  readonly #options: H2SessionOptions;
  readonly #on: H2SessionListener;
  /** Undefined while a proxy opens the way. */
  #session: ClientHttp2Session | undefined;
  readonly #ended = new AbortController();
  readonly #clock: NodeJS.Timeout;
  readonly #connectDeadline: NodeJS.Timeout;
  #state: 'opening' | 'open' | 'draining' | 'gone' = 'opening';
  #error: Error | undefined;
  #proven = false;
  #firstAnswer: NodeJS.Timeout | undefined;
  #window = 65_535;
  #streams = 0;
  #bytes = 0;
  #lastStreamId = Number.POSITIVE_INFINITY;
  #pinging = false;
  #pingedAt = performance.now();

  constructor(options: H2SessionOptions, on: H2SessionListener) {
    this.#options = options;
    this.#on = on;
    this.#connectDeadline = setTimeout(
      () => this.#end(new Error('connecting took too long')),
      options.connectTimeoutMs,
    );
    this.#clock = setInterval(() => this.#tick(), options.pingBusyMs);
    connectH2(options, this.#ended.signal, {
      connected: (session) => this.#use(session),
      failed: (error) => this.#end(error),
    });
  }

  get state(): 'opening' | 'open' | 'draining' | 'gone' {
    return this.#state;
  }
  /**
   * Whether a request has been answered, or has waited for long: a provider that answers nothing about one
   * phone must not hold up the others. Before that the session gets one request at a time.
   */
  get proven(): boolean {
    return this.#proven;
  }
  get streams(): number {
    return this.#streams;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** False if the bytes exceed the peer's window: they would only queue in this session. */
  hasRoomFor(bytes: number): boolean {
    const session = this.#session;
    if (this.#state !== 'open' || !session || session.closed || session.destroyed) return false;
    if (this.#streams === 0) return true;
    if (!this.#proven || this.#streams >= this.#maxStreams()) return false;
    if (this.#bytes + bytes <= this.#window) return true;
    this.#window = Math.max(this.#window, session.state.remoteWindowSize ?? 0);
    return this.#bytes + bytes <= this.#window;
  }

  send(pending: PendingRequest): void {
    const stream = this.#streamFor(pending);
    if (!stream) {
      this.#on.refused(pending);
      return;
    }
    this.#streams++;
    this.#bytes += pending.body.length;
    pending.sentOn(stream);
    if (!this.#proven)
      this.#firstAnswer ??= setTimeout(() => this.#prove(), this.#options.firstAnswerMs);
    this.#read(stream, pending);
    stream.end(pending.body);
  }

  /** Accepts no more requests; closes when the open ones have ended. */
  drain(): void {
    if (this.#state === 'gone') return;
    this.#state = 'draining';
    if (this.#session) this.#session.close();
    else this.#end();
  }

  destroy(): void {
    this.#end();
  }

  #use(session: ClientHttp2Session): void {
    this.#session = session;
    session.once('remoteSettings', () => this.#opened());
    session.on('goaway', (_code, lastStreamId, opaque) =>
      this.#onGoaway(lastStreamId, opaque?.toString('latin1') ?? ''),
    );
    session.on('error', (error) => (this.#error = error));
    session.once('close', () => this.#closed());
  }

  /** Ends the connection, or the way to it. */
  #end(error?: Error): void {
    this.#ended.abort();
    if (this.#session) {
      this.#session.destroy(error);
      return;
    }
    this.#error = error;
    // Later, as a session does: the caller may still be in the constructor.
    if (this.#state !== 'gone') setImmediate(() => this.#closed());
  }

  #streamFor({ request }: PendingRequest): ClientHttp2Stream | undefined {
    try {
      return this.#session?.request({
        ':method': 'POST',
        ':path': request.path,
        ...request.headers,
      });
    } catch {
      return undefined;
    }
  }

  #read(stream: ClientHttp2Stream, pending: PendingRequest): void {
    let headers: (IncomingHttpHeaders & { ':status'?: number | undefined }) | undefined;
    let ended = false;
    let size = 0;
    const chunks: Buffer[] = [];
    stream.on('response', (received) => (headers = received));
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= this.#options.maxResponseBytes) chunks.push(chunk);
      else pending.fail(new H2Failure('too_large', 'the response is too large'));
    });
    stream.on('end', () => (ended = true));
    stream.on('error', () => {}); // 'close' follows
    stream.once('close', () => {
      this.#streams--;
      this.#bytes -= pending.body.length;
      const isComplete = ended && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR;
      if (isComplete && headers) {
        this.#proven = true;
        const body = textOf(Buffer.concat(chunks), headers, this.#options.maxResponseBytes);
        const { waitedMs } = pending;
        const status = headers[':status'] ?? 0;
        pending.succeed({ status, headers, body, session: this.#number, waitedMs });
      } else if (this.#isUnprocessed(stream)) this.#on.refused(pending);
      else
        pending.fail(
          new H2Failure('broken', `the stream ended early (code ${stream.rstCode})`, this.#error),
        );
      this.#on.room();
    });
  }

  #prove(): void {
    this.#proven = true;
    this.#on.room();
  }

  #isUnprocessed(stream: ClientHttp2Stream): boolean {
    return (
      stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ||
      stream.id === undefined ||
      stream.id > this.#lastStreamId
    );
  }

  #maxStreams(): number {
    const peerLimit = this.#session?.remoteSettings?.maxConcurrentStreams;
    return Math.min(peerLimit ?? this.#options.maxStreams, this.#options.maxStreams);
  }

  #opened(): void {
    clearTimeout(this.#connectDeadline);
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#window = Math.max(this.#window, this.#session?.state.remoteWindowSize ?? 0);
    this.#on.open();
  }

  // Node reports such a session for a while as neither closed nor destroyed.
  #onGoaway(lastStreamId: number, reason: string): void {
    this.#lastStreamId = Math.min(this.#lastStreamId, lastStreamId);
    if (this.#state === 'gone') return;
    this.#state = 'draining';
    this.#on.draining(reason);
  }

  #closed(): void {
    clearTimeout(this.#connectDeadline);
    clearInterval(this.#clock);
    clearTimeout(this.#firstAnswer);
    if (this.#state === 'gone') return;
    const wasOpening = this.#state === 'opening';
    this.#state = 'gone';
    this.#on.gone(wasOpening ? (this.#error ?? new Error('the connection was closed')) : undefined);
  }

  // Node does not call back while the peer is silent, hence this deadline. After it, one turn of the
  // event loop passes, in which a pong that waited for this busy process is read.
  #tick(): void {
    const session = this.#session;
    if (this.#pinging || this.#state === 'opening' || !session || session.destroyed) return;
    const now = performance.now();
    if (this.#streams === 0 && now - this.#pingedAt < this.#options.pingIdleMs) return;
    this.#pingedAt = now;
    this.#pinging = true;
    const deadline = setTimeout(
      () =>
        setImmediate(() => {
          if (this.#pinging) session.destroy(new Error('the peer does not answer pings'));
        }),
      this.#options.pingTimeoutMs,
    );
    const answered = () => {
      clearTimeout(deadline);
      this.#pinging = false;
    };
    if (!session.ping(answered)) answered();
  }
}

/** Empty for a body that is not in its content-encoding: the status still counts. */
function textOf(body: Buffer, headers: IncomingHttpHeaders, limit: number): string {
  try {
    return decodeText(decodeContent(body, headers, limit), headers['content-type']).text;
  } catch (error) {
    if (error instanceof UndecodableContent) return '';
    throw error;
  }
}
