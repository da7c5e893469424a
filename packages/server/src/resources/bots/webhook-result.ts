import { interpretAnswer, parseRetryAfter } from '@bellhop/protocol';

import { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundResponse } from '../../outbound/outbound-response.ts';
import { redact } from './redact.ts';

/** What follows from one attempt at a webhook. */
export type Verdict =
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'reply';
      readonly content: string;
      readonly widget_content?: string;
      readonly excerpt: string;
    }
  /** It will not help to ask again. */
  | {
      readonly kind: 'failure';
      /** A sentence for everybody: nothing of the endpoint's own words. */
      readonly reason: string;
      /** The endpoint's own words, for the owner. */
      readonly excerpt?: string;
      /** Whether it speaks against the endpoint; an answer of 2xx never does. */
      readonly isBroken: boolean;
      readonly isGone?: boolean;
    }
  /** It may help to ask again later. */
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly excerpt?: string;
      readonly afterSeconds?: number;
      readonly isBroken: boolean;
    };

interface Asked {
  readonly interfaceType: number;
  readonly token: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** A receiver that wants more patience than this has failed: its answer would come too late. */
const PATIENCE_SECONDS = 60;

export function judgeResponse(response: OutboundResponse, asked: Asked): Verdict {
  const { status, headers, location, body } = response;
  const excerpt = redact(body, [asked.token]);
  if (status >= 200 && status < 300) {
    const meant = interpretAnswer(body.toString('utf8'), asked.interfaceType);
    if (meant.kind === 'reply') return { ...meant, excerpt };
    if (meant.kind === 'silence') return meant;
    return { kind: 'failure', reason: meant.reason, excerpt, isBroken: false };
  }
  const reason = `The endpoint answered with status ${status}${explained(status)}`;
  const wait = parseRetryAfter(headers['retry-after'], asked.now * 1000);
  const isAsking = status === 429 || status === 503;
  if (isAsking && wait !== undefined && wait <= PATIENCE_SECONDS)
    return { kind: 'unavailable', reason, excerpt, afterSeconds: wait, isBroken: true };
  return {
    kind: 'failure',
    reason,
    excerpt: location === undefined ? excerpt : `Location: ${location}\n${excerpt}`,
    isBroken: true,
    isGone: status === 410,
  };
}

function explained(status: number): string {
  if (status >= 300 && status < 400) return ': redirects are not followed.';
  if (status === 407) return ': a proxy on the way refuses this address.';
  if (status === 410) return ': it is gone for good.';
  return '.';
}

/** What an attempt without a whole answer comes to. */
export function judgeError(error: unknown, asked: Asked): Verdict {
  if (!(error instanceof OutboundError)) {
    const name = error instanceof Error ? error.name : 'Error';
    return {
      kind: 'failure',
      reason: `The request could not be made (${name}).`,
      isBroken: false,
    };
  }
  const { failure, safeMessage: reason, response } = error;
  switch (failure) {
    case 'timeout':
    case 'connection':
      return { kind: 'unavailable', reason, isBroken: true };
    case 'dns':
    case 'canceled':
      return { kind: 'unavailable', reason, isBroken: false };
    case 'blocked':
      return { kind: 'failure', reason, isBroken: true };
    case 'too_large': {
      if (response && (response.status < 200 || response.status > 299))
        return judgeResponse(response, asked);
      const excerpt = response && redact(response.body, [asked.token]);
      return { kind: 'failure', reason, isBroken: false, ...(excerpt ? { excerpt } : {}) };
    }
  }
}
