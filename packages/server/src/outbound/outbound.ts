import { Agent, request } from 'undici';

import { addressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';
import { guardedConnect, type GuardOptions } from './guarded-connect.ts';
import { OutboundError } from './outbound-error.ts';
import { outboundFailure } from './outbound-failure.ts';
import type { OutboundResponse } from './outbound-response.ts';
import { readUpTo } from './read-up-to.ts';

export interface OutboundOptions extends Omit<GuardOptions, 'policy'> {
  /** CIDR ranges to permit beside global addresses. Default none. */
  allow?: readonly string[];
  userAgent?: string;
}

interface PostOptions {
  headers?: Record<string, string>;
  body: string | Uint8Array;
  /** Milliseconds from the call to the last byte of the response. Default 10 000. */
  totalTimeoutMs?: number;
  /** Bytes. Default 65 536. */
  maxResponseBytes?: number;
  signal?: AbortSignal;
}

/** Sends HTTP requests to URLs that users set, within the `addressPolicy`. */
export interface Outbound {
  /** Returns the response of any status. Throws an OutboundError if there is none. */
  post: (url: string, options: PostOptions) => Promise<OutboundResponse>;
  /** Checks a URL without the network, before it is saved. Throws an OutboundError. */
  checkUrl: (url: string) => void;
  /** Closes all connections, those in use included. */
  close: () => Promise<void>;
}

/** One instance serves the whole process. Throws on an invalid range in `allow`. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allow = [], userAgent = 'Bellhop', ...guard } = options;
  const policy = addressPolicy(allow);
  const agent = new Agent({
    connect: guardedConnect({ ...guard, policy }),
    connections: 16,
    allowH2: false,
  });

  async function exchange(url: URL, post: PostOptions, signal: AbortSignal) {
    const { headers = {}, body, maxResponseBytes = 65_536 } = post;
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'user-agent': userAgent, ...headers },
      body,
      signal,
    });
    const { location } = answer.headers;
    const read = await readUpTo(answer.body, maxResponseBytes);
    const response: OutboundResponse = {
      status: answer.statusCode,
      headers: answer.headers,
      ...(typeof location === 'string' && { location }),
      body: read.body,
    };
    if (!read.complete) {
      const message = `The answer is longer than ${maxResponseBytes} bytes.`;
      throw new OutboundError('too_large', message, { response });
    }
    return response;
  }

  return {
    async post(url, post) {
      const target = checkUrl(url, policy);
      const deadline = AbortSignal.timeout(post.totalTimeoutMs ?? 10_000);
      const signal = post.signal ? AbortSignal.any([post.signal, deadline]) : deadline;
      try {
        return await exchange(target, post, signal);
      } catch (error) {
        throw outboundFailure(error, { deadline, ...(post.signal && { canceled: post.signal }) });
      }
    },
    checkUrl(url) {
      checkUrl(url, policy);
    },
    close: () => agent.destroy(),
  };
}
