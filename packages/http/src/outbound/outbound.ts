import type { Readable } from 'node:stream';

import type { Agent } from 'undici';

import { codingsOf, decodeContent, UndecodableContent } from '../answers/decode-content.ts';
import { addressPolicy } from './address-policy.ts';
import { type CheckedStep, checkEndpoint } from './check-endpoint.ts';
import { checkUrl } from './check-url.ts';
import { addressesOf, guardedConnect, type GuardOptions, requestClock } from './guarded-connect.ts';
import { OutboundError } from './outbound-error.ts';
import { MAX_HEADER_BYTES, outboundFailure } from './outbound-failure.ts';
import type { OutboundResponse } from './outbound-response.ts';
import { StepClock } from './step-clock.ts';
import { undici } from './undici.ts';

export { factsOf, OutboundError, statusFacts } from './outbound-error.ts';
export type { OutboundResponse } from './outbound-response.ts';
export type { OutboundStep, OutboundTiming } from './step-clock.ts';
export type { DeliveryFault, FaultFacts } from '@bellhop/protocol/contract';
export type { ConnectionFault } from '../answers/connection-fault.ts';
export type { Proxies, Proxy, ProxyVariables } from '../proxy/proxies.ts';
export type { AddressPolicy } from './address-policy.ts';
export type { CheckedStep } from './check-endpoint.ts';
export type { Dial, GuardOptions, Resolve } from './guarded-connect.ts';
export type { AnswerFault, OutboundErrorDetails, OutboundFault } from './outbound-error.ts';

export interface OutboundOptions extends Omit<GuardOptions, 'policy'> {
  /** CIDR ranges to permit beside global addresses. Default none. */
  allow?: readonly string[];
  userAgent?: string;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Milliseconds from the call to the last byte of the response. Default 10 000. */
  totalTimeoutMs?: number;
  /** Bytes of the body as sent, and as decoded. Default 65 536. */
  maxResponseBytes?: number;
  signal?: AbortSignal;
}
export interface PostOptions extends RequestOptions {
  body: string | Uint8Array;
}

/** Sends HTTP requests to URLs that others chose, within the `addressPolicy`. */
export interface Outbound {
  /** Returns the response of any status. Throws an OutboundError if there is none. */
  post: (url: string, options: PostOptions) => Promise<OutboundResponse>;
  /** Sends a GET. See `post`. */
  get: (url: string, options?: RequestOptions) => Promise<OutboundResponse>;
  /** Checks a URL without the network, before it is saved. Throws an OutboundError. */
  checkUrl: (url: string) => void;
  /** Checks step by step whether an endpoint can be called. Never throws for a reason of the endpoint. */
  check: (url: string) => Promise<CheckedStep[]>;
  /** Closes all connections, those in use included. */
  close: () => Promise<void>;
}

const NOTHING = Buffer.alloc(0);

/** One instance serves the whole process. Throws on an invalid range in `allow`. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allow = [], userAgent = 'Bellhop', ...guard } = options;
  const policy = addressPolicy(allow);
  const newAgent = () =>
    new (undici().Agent)({
      connect: guardedConnect({ ...guard, policy }),
      connections: 16,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false,
    });
  let agent: Agent | undefined;

  interface Exchange {
    url: URL;
    options: Partial<PostOptions>;
    signal: AbortSignal;
    clock: StepClock;
  }
  async function exchange({ url, options, signal, clock }: Exchange) {
    const { headers = {}, body, maxResponseBytes = 65_536 } = options;
    agent ??= newAgent();
    const answer = await undici().request(url, {
      dispatcher: agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': userAgent, ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    clock.begin('body');
    const { location } = answer.headers;
    const read = await readUpTo(answer.body, maxResponseBytes);
    const response = (bytes: Buffer): OutboundResponse => ({
      status: answer.statusCode,
      headers: answer.headers,
      ...(typeof location === 'string' && { location }),
      body: bytes,
      timing: clock.timing(),
    });
    const tooLarge = (bytes: Buffer) =>
      new OutboundError('too_large', {
        sentence: `The answer is longer than ${maxResponseBytes} bytes.`,
        response: response(bytes),
      });
    const isCoded = codingsOf(answer.headers).length > 0;
    if (!read.complete) throw tooLarge(isCoded ? NOTHING : read.body);
    try {
      return response(decodeContent(read.body, answer.headers, maxResponseBytes));
    } catch (error) {
      if (!(error instanceof UndecodableContent)) throw error;
      if (error.isTooLarge) throw tooLarge(NOTHING);
      const details = { cause: error, detail: error.message, response: response(NOTHING) };
      throw new OutboundError('bad_encoding', details);
    }
  }

  async function send(url: string, options: Partial<PostOptions>): Promise<OutboundResponse> {
    const target = checkUrl(url, policy);
    const deadline = AbortSignal.timeout(options.totalTimeoutMs ?? 10_000);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const clock = new StepClock();
    try {
      const sent = { url: target, options, signal, clock };
      return await requestClock.run(clock, () => exchange(sent));
    } catch (error) {
      const failure = outboundFailure(error, {
        deadline,
        ...(options.signal && { canceled: options.signal }),
      });
      failure.measured = { step: clock.step, timing: clock.timing() };
      throw failure;
    }
  }

  return {
    post: send,
    get: (url, options = {}) => send(url, options),
    checkUrl(url) {
      checkUrl(url, policy);
    },
    check: (url) =>
      checkEndpoint(url, {
        ...guard,
        policy,
        resolve: (host) => addressesOf(host, guard),
        get: (to) => send(to, {}),
      }),
    close: async () => agent?.destroy(),
  };
}

/** Reads a body up to a limit; a longer body is cut and its connection closed. */
async function readUpTo(
  body: Readable,
  limit: number,
): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream and its socket.
    if (size > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), complete: size <= limit };
}
