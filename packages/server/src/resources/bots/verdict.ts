import { STATUS_CODES } from 'node:http';

import type { OutboundStep, OutboundTiming } from '@bellhop/http/outbound';
import type { AnswerExplanation } from '@bellhop/protocol';

import type { WebhookResult } from './webhook-result.ts';

/** The record of one call of a webhook. It has no secrets. */
export interface AttemptRecord {
  readonly number: number;
  readonly url: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly payload: string;
  /** The time limit of the attempt in milliseconds. */
  readonly limitMs: number;
  /** Null if the request could not be made. */
  readonly timing: OutboundTiming | null;
  /** The step in which the request failed. */
  readonly step?: OutboundStep;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly truncated: boolean;
  } | null;
  /** The meaning of a complete 2xx answer. */
  readonly answer?: AnswerExplanation;
  /** The code of the error of the connection. */
  readonly cause?: string;
}

/**
 * The outcome of an attempt in a sentence for the author of a bot. Quotes nothing of the answer but
 * its status and the target of a redirect.
 */
export function verdictOf(result: WebhookResult, record: AttemptRecord): string {
  const { response, answer } = record;
  if (!response) return withoutAnswer(result, record);
  const { status, headers } = response;
  if (status < 200 || status > 299) return refusal(status, headers['location']);
  if (!answer) return withoutAnswer(result, record);
  const isFine = answer.words === 'replied' || answer.words.endsWith(': silent');
  return isFine ? answer.words : `${status} but ${answer.words}`;
}

const advice: Readonly<Record<number, string>> = {
  400: 'the bot does not like the payload',
  401: 'the bot refuses the token or the signature: is its token the one of the bot user?',
  403: 'the bot refuses the request: is its token the one of the bot user?',
  404: 'is the path of the payload URL right?',
  405: 'the endpoint must take POST at this path',
  407: 'a proxy on the way refuses this address',
  410: 'the endpoint says that it is gone for good',
  413: 'the endpoint does not take so long a payload',
  415: 'the endpoint does not take this content type',
  500: 'the bot failed: see its log',
  502: 'the server before the bot does not reach it',
  503: 'the endpoint is not available',
  504: 'the server before the bot gets no answer from it in time',
};

function refusal(status: number, location: string | undefined): string {
  const name = STATUS_CODES[status];
  const title = name === undefined ? String(status) : `${status} ${name}`;
  if (status >= 300 && status < 400) {
    const to = location === undefined ? '' : ` to ${location}`;
    return `${title}${to}: redirects are refused; set the final address as payload URL`;
  }
  const hint = advice[status];
  return hint === undefined ? title : `${title}: ${hint}`;
}

const steps: Readonly<Record<OutboundStep, string>> = {
  dns: 'the name was being looked up',
  connect: 'the connection was being opened',
  first_byte: 'the first byte had not come',
  body: 'the answer had begun and was not complete',
};

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the certificate of its authority',
};

function withoutAnswer(result: WebhookResult, record: AttemptRecord): string {
  const { timing, limitMs, step = 'first_byte', cause = '', url } = record;
  const total = timing?.total ?? 0;
  const { protocol, host } = new URL(url);
  switch ('fault' in result ? result.fault : 'internal') {
    case 'dns':
      return `DNS: the name ${host} could not be looked up just now`;
    case 'unknown_host':
      return `DNS: there is no host ${host}`;
    case 'address_forbidden':
      return 'address forbidden: the payload URL leads to no public address (BELLHOP_WEBHOOK_ALLOW permits private networks)';
    case 'refused':
      return `connection refused: nothing listens at ${host}`;
    case 'unreachable':
      return `unreachable: there is no way to ${host}`;
    case 'not_tls':
      return `TLS: ${host} does not speak TLS; is its address http://?`;
    case 'certificate':
      return `TLS: the certificate of ${host} ${certificateFaults[cause] ?? 'is not trusted'}`;
    case 'not_http':
      return protocol === 'http:'
        ? `the answer is not HTTP; is the address https://${host}?`
        : 'the answer is not HTTP';
    case 'closed':
      return `connection closed after ${total} ms${step === 'body' ? ', in the middle of the answer' : ''}`;
    case 'timeout':
      // Opening a connection has a shorter limit of its own.
      return `time-out after ${seconds(step === 'connect' ? total : limitMs)}: ${steps[step]}`;
    case 'too_large':
      return `${record.response?.status ?? ''} but over 64 KiB: the answer was not read to its end`;
    default:
      return 'the server could not finish the attempt';
  }
}

export interface NextAttempt {
  /** Counts retries from 1. */
  readonly retry: number;
  readonly retries: number;
  readonly delayMs: number;
}

/** The end of a verdict: `retry 2 of 5 in 4 s`. */
export const inWords = ({ retry, retries, delayMs }: NextAttempt): string =>
  `retry ${retry} of ${retries} in ${seconds(delayMs)}`;

const seconds = (ms: number) => `${ms < 950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
