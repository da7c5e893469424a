import { mediaType } from '@bellhop/protocol/plain';

import {
  bodyText,
  formFields,
  isUnread,
  type SentBody,
  type UnreadBody,
  withoutMark,
} from './body-text.ts';
import {
  type Received,
  type ReceivedUnknown,
  readDelivery,
  readSlackDelivery,
  readUnknownDelivery,
} from './delivery.ts';
import type { RefusalReason } from './hooks.ts';
import { type Signature, signatureFault } from './signature.ts';
import { type ComparableToken, isOneOf } from './webhook-token.ts';

/** The response to a delivery. A server takes a body that is no JSON object for a failure. */
export interface WebhookResponse {
  readonly status: 200 | 400 | 401 | 405 | 413 | 415;
  readonly body: string;
  /** Headers beside the type of the body, which is JSON. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A delivery as the adapters hand it over. */
export interface WebhookRequest extends SentBody {
  readonly signature: Signature;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: Exclude<WebhookResponse['status'], 200>;
  readonly reason?: RefusalReason | undefined;
  /** Instead of what the status and the reason say. */
  readonly message?: string;
}

/** A bot and its tokens; without a bot, random ones to compare with. */
export interface Recipient<Bot> {
  readonly bot: Bot | undefined;
  readonly tokens: readonly ComparableToken[];
}

/** Finds who a delivery is for: by e-mail address, or by token, for the form that has no address. */
export interface Recipients<Bot> {
  readonly byEmail: (email: string) => Recipient<Bot> | Promise<Recipient<Bot>>;
  readonly byToken: (token: string) => Recipient<Bot>;
}

/** A genuine delivery and its bot. */
export interface OpenedDelivery<Bot> {
  readonly bot: Bot;
  readonly delivery: (Received | ReceivedUnknown)['delivery'];
  /** Whether it has the Slack-compatible form, whose answer has another form too. */
  readonly isForm: boolean;
}

/** Reads a delivery and checks that it is genuine. Resolves with a refusal for any other request. */
export async function openDelivery<Bot>(
  request: WebhookRequest,
  recipients: Recipients<Bot>,
): Promise<OpenedDelivery<Bot> | Refusal> {
  const isForm = isSlack(request);
  const text = bodyText(request);
  if (isUnread(text)) return text;
  const received = read(text, request.parsed, isForm);
  if (received === undefined) return { status: 400 };
  if (isUnread(received)) return received;
  const { delivery, token } = received;
  const { bot, tokens } = isForm
    ? recipients.byToken(token)
    : await recipients.byEmail(delivery.botEmail);
  const isRight = isOneOf(tokens, token);
  if (bot === undefined) return { status: 401, reason: 'unknown_bot' };
  if (!isRight) return { status: 401, reason: 'wrong_token' };
  const fault = faultOf(text, request.signature, token);
  return fault === undefined ? { bot, delivery, isForm } : { status: 401, reason: fault };
}

/** Whether a request was refused. */
export const isRefused = <T extends object>(result: T | Refusal): result is Refusal =>
  'status' in result;

/** The response to a request that is refused. */
export function refusalResponse({ status, reason, message }: Refusal): WebhookResponse {
  const error = message ?? (reason && told[reason]) ?? titles[status];
  const headers = (reason && headersOf[reason]) ?? headersOf[status];
  return { status, body: JSON.stringify({ error }), ...(headers ? { headers } : {}) };
}

/** A signature covers the raw body: it is not checked where the application has parsed the body. */
function faultOf(text: string | undefined, signature: Signature, token: string) {
  if (text === undefined) return undefined;
  return signatureFault(signature, { token, body: text, now: Date.now() });
}

/** What a response tells of the reason, beside its status. */
const told: Partial<Readonly<Record<RefusalReason, string>>> = {
  wrong_clock:
    'Unauthorized: webhook-timestamp is more than five minutes from the clock of the bot',
  body_lost:
    'Bad Request: something in the application has read the body before the bot and not kept it. ' +
    'Mount the webhook before body parsers.',
};

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
} as const satisfies Readonly<Record<Refusal['status'], string>>;

const headersOf: Partial<Readonly<Record<RefusalReason | number, Record<string, string>>>> = {
  405: { allow: 'POST' },
  body_compressed: { 'accept-encoding': 'identity' },
};

/** Whether a request has the Slack-compatible form, which names no bot. */
const isSlack = ({ contentType }: WebhookRequest): boolean =>
  contentType !== 'application/json' &&
  mediaType(contentType) === 'application/x-www-form-urlencoded';

function read(
  text: string | undefined,
  parsed: unknown,
  isForm: boolean,
): Received | ReceivedUnknown | UnreadBody | undefined {
  if (isForm) {
    if (text === undefined) return readSlackDelivery(parsed);
    const fields = formFields(text);
    return isUnread(fields) ? fields : readSlackDelivery(fields);
  }
  const body = text === undefined ? parsed : parsedJson(text);
  return readDelivery(body) ?? readUnknownDelivery(body);
}

/** Undefined when the text is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}
