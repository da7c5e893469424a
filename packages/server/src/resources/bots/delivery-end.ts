import { STATUS_CODES } from 'node:http';

import type { OutboundStep } from '@bellhop/http/outbound';
import type { DeliveryFault, DeliveryReply } from '@bellhop/protocol';

import type { AttemptRecord } from '../../model/bot-deliveries/attempt-record.ts';
import type { DeliveryEnd, DeliverySubject } from '../../model/bot-deliveries/delivery-rows.ts';
import type { WebhookResult } from '../../model/bots/webhook-result.ts';
import { noReply } from './conclude-delivery.ts';

interface Attempted {
  readonly subject: DeliverySubject;
  readonly result: WebhookResult;
  /** Undefined if the server lost the attempt. */
  readonly record: AttemptRecord | undefined;
}
/** Why a delivery is not sent at all. */
export interface Refusal {
  readonly error_code: DeliveryFault;
  readonly reason: string;
}

/** A new owner can have set another payload URL: what was said to the bot before is not theirs. */
export const OWNER_CHANGED: Refusal = {
  error_code: 'owner_changed',
  reason: 'The bot has got a new owner since the message was sent.',
};

/** The end of a delivery whose last attempt has this result. */
export function finalEnd(
  { subject, result, record }: Attempted,
  reply: DeliveryReply,
): DeliveryEnd {
  const isAnswer = result.kind === 'silence' || result.kind === 'reply';
  const isRefused = reply.outcome === 'refused';
  const said = record ? verdictOf(result, record) : 'the server could not finish the delivery';
  const ofAnswer = record?.answer?.fault ?? null;
  const fault = 'fault' in result ? result.fault : isRefused ? 'reply_refused' : ofAnswer;
  const answered = ofAnswer === 'bot_error' ? 'bot_error' : 'delivered';
  return {
    subject,
    record,
    reply,
    status: isAnswer && !isRefused ? answered : 'failed',
    error_code: fault,
    verdict: isRefused ? `answered, but the chat refused the reply: ${reply.reason ?? ''}` : said,
    owner_verdict: record?.response && fault === 'redirect' ? redirected(record.response) : null,
    delay_ms: null,
  };
}

/** The end of an attempt after which there is another. */
export function retryEnd(attempted: Attempted, next: NextAttempt): DeliveryEnd {
  const end = finalEnd(attempted, noReply);
  const verdict = `${end.verdict}; retry ${next.retry} of ${next.retries}`;
  return { ...end, status: 'retrying', verdict, delay_ms: next.delayMs };
}

/** The end of a delivery that is not sent. */
export const dropped = ({ error_code, reason }: Refusal): Omit<DeliveryEnd, 'subject'> => ({
  status: 'dropped',
  verdict: reason,
  owner_verdict: null,
  error_code,
  reply: noReply,
  delay_ms: null,
  record: undefined,
});

/**
 * The outcome of an attempt in a sentence for the author of a bot. Of the answer it contains only the
 * status: administrators read it too.
 */
function verdictOf(result: WebhookResult, record: AttemptRecord): string {
  const { response, answer } = record;
  if (!response) return withoutAnswer(result, record);
  const { status } = response;
  if (status < 200 || status > 299) return refusal(status);
  if (!answer) return withoutAnswer(result, record);
  const isFine = !('fault' in result) && answer.fault === undefined;
  return isFine ? answer.words : `${status} but ${answer.words}`;
}

const advice: Readonly<Record<number, string>> = {
  400: 'the bot does not like the payload',
  401: 'the bot refuses the token or the signature: is its token the one of the bot user, and its clock right?',
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

function titleOf(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

/** A redirect with its target, for the owner: an address may hold a secret. */
function redirected({
  status,
  headers: { location },
}: NonNullable<AttemptRecord['response']>): string | null {
  return location === undefined ? null : `${titleOf(status)} to ${location}${REFUSED}`;
}

const REFUSED = ': redirects are refused; set the final address as payload URL';

function refusal(status: number): string {
  const title = titleOf(status);
  if (status >= 300 && status < 400) return title + REFUSED;
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
  const { timing, limitMs, step = 'first_byte', cause = '', url, unreadable = '' } = record;
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
    case 'bad_http':
    case 'header_too_large':
      return `the answer ${unreadable}`;
    case 'bad_encoding':
      return `${record.response?.status ?? ''} but ${unreadable}`;
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

interface NextAttempt {
  /** Counts retries from 1. */
  readonly retry: number;
  readonly retries: number;
  readonly delayMs: number;
}

const seconds = (ms: number) => `${ms < 950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
