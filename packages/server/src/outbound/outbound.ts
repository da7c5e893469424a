import { Agent, request } from 'undici';

import { addressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';
import { guardedConnect, type GuardOptions } from './guarded-connect.ts';
import { OutboundError } from './outbound-error.ts';
import { outboundFailure } from './outbound-failure.ts';
import type { OutboundResponse } from './outbound-response.ts';
import { readUpTo } from './read-up-to.ts';

export interface OutboundOptions extends Omit<GuardOptions, 'policy'> {
  /** CIDR ranges beside the public network. None by default. */
  allow?: readonly string[];
  userAgent?: string;
}

interface PostOptions {
  headers?: Record<string, string>;
  body: string | Uint8Array;
  /** From the call to the last byte of the answer. Default 10 000. */
  totalTimeoutMs?: number;
  /** Default 65 536. */
  maxResponseBytes?: number;
  signal?: AbortSignal;
}

/** HTTP requests to URLs that users gave; `addressPolicy` says where they may go. */
export interface Outbound {
  /** Any status is an answer. Throws an OutboundError when there is none. */
  post: (url: string, options: PostOptions) => Promise<OutboundResponse>;
  /** The checks that need no network, for when a URL is saved. Throws an OutboundError. */
  checkUrl: (url: string) => void;
  /** Ends all connections, also those in use. */
  close: () => Promise<void>;
}

/** Makes one for the whole process; throws on an unreadable range in `allow`. */
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
