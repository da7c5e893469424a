import { randomBytes } from 'node:crypto';

import { mediaType } from '@bellhop/protocol/plain';

import {
  bodyText,
  formFields,
  isUnread,
  type SentBody,
  type UnreadBody,
  withoutMark,
} from './body-text.ts';
import { misconfigured } from './bot-error.ts';
import {
  type Received,
  type ReceivedUnknown,
  readDelivery,
  readSlackDelivery,
  readUnknownDelivery,
} from './delivery.ts';
import { type Hooks, logFailure, type RefusalReason, report } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';
import type { Place } from './not-started.ts';
import { refusalLog } from './refusal-log.ts';
import { type CheckedReply, replyBody } from './rest/reply.ts';
import { Runtime } from './runtime.ts';
import { type Signature, signatureFault } from './signature.ts';
import { type ComparableToken, isOneOf, noToken, randomToken } from './webhook-token.ts';

/** Finds the bot of an e-mail address that is not in the list of bots, such as a tenant's. */
export type ResolveBot = (email: string) => Promise<AnyBot | undefined>;

export interface WebhookOptions {
  readonly hooks?: Hooks;
  /** Larger bodies are refused with 413; default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * How long an answer may take, in milliseconds; a later reply is sent by REST. Default: 8000:
   * the server waits 10 s.
   */
  readonly deadlineMs?: number;
  /**
   * Finds bots that are not in the list, by their e-mail address. It is called for each delivery, and
   * must return the same bot for the same address, or repeats are handled again. When it rejects, the
   * delivery is refused as one to an unknown bot, and `onError` is called.
   */
  readonly resolve?: ResolveBot;
}

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

/** The core of every adapter. */
export interface Receiver {
  readonly maxBodyBytes: number;
  /** The bots where they are mounted. */
  readonly runtimes: () => readonly Runtime[];
  /** Never rejects. */
  readonly receive: (request: WebhookRequest) => Promise<WebhookResponse>;
  readonly refuse: (status: 400 | 401 | 405 | 413, reason?: RefusalReason) => WebhookResponse;
  /** Stops sending the pending replies that other processes have left: this process ends. */
  readonly stop: () => void;
  /** Resolves when no handler runs any more. */
  readonly idle: () => Promise<void>;
  /** Aborts the signals of all handlers. */
  readonly abort: () => void;
}

/** A bot and its tokens; without a bot, random ones to compare with. */
interface Recipient {
  readonly runtime: Runtime | undefined;
  readonly tokens: readonly ComparableToken[];
}

/**
 * Answers the deliveries to a list of bots. Each check compares the same number of tokens, so that
 * its duration does not reveal whether the bot or the token is wrong. Throws BotError
 * `config_invalid` if there is no bot, if one has no token, or if two have the same address.
 */
export function receiver(
  bots: readonly AnyBot[],
  { hooks = {}, maxBodyBytes = 1024 * 1024, deadlineMs = 8000, resolve }: WebhookOptions = {},
  place: Place = 'process',
): Receiver {
  if (bots.length === 0 && !resolve) throw misconfigured('Give at least one bot to serve.');
  const counts = bots.map((bot) => bot[internals].settings.tokens.length);
  // A bot that is resolved later may have two tokens while one replaces the other.
  const width = Math.max(resolve ? 2 : 1, ...counts);
  const runtimes = new Map<AnyBot, Runtime>();
  const known = new Map(bots.map((bot) => [bot.email.toLowerCase(), recipientOf(bot)]));
  if (known.size < bots.length) throw misconfigured('Two bots have the same e-mail address.');
  const unknown: Recipient = { runtime: undefined, tokens: padded([], width) };

  function recipientOf(bot: AnyBot): Recipient {
    const { tokens } = bot[internals].settings;
    if (tokens.length === 0) throw noToken(bot.email);
    let runtime = runtimes.get(bot);
    if (runtime === undefined) {
      runtime = new Runtime(bot, { hooks, deadlineMs, place });
      runtimes.set(bot, runtime);
      runtime.mounted();
    }
    return { runtime, tokens: padded(tokens, width) };
  }

  async function resolved(botEmail: string): Promise<Recipient> {
    try {
      const bot = await resolve?.(botEmail);
      return bot === undefined ? unknown : recipientOf(bot);
    } catch (error) {
      const reference = randomBytes(4).toString('hex');
      report(hooks.onError ?? logFailure, { error, code: 'handler_failed', reference, botEmail });
      return unknown;
    }
  }

  /** The bot with this token: the Slack-compatible form has no address. */
  function byToken(token: string): Recipient {
    let found = unknown;
    for (const recipient of known.values()) if (isOneOf(recipient.tokens, token)) found = recipient;
    return found;
  }

  let hasWarned = false;
  function warnOfTrigger({ services }: Runtime, trigger: string): void {
    // Once: a newer server may send such deliveries all day.
    if (hasWarned) return;
    hasWarned = true;
    services.warn(
      'unknown_trigger',
      `A delivery with the trigger '${trigger}', which this version of @bellhop/bot does not know, got no reply. A later version may know it.`,
    );
  }

  const logRefusal = refusalLog();
  function refused(
    status: keyof typeof titles,
    reason: RefusalReason | undefined,
    message: string,
  ): WebhookResponse {
    if (hooks.onDelivery)
      report(hooks.onDelivery, { outcome: 'refused', status, ...(reason ? { reason } : {}) });
    else if (reason) logRefusal(reason);
    const headers = (reason && headersOf[reason]) ?? headersOf[status];
    return { status, body: JSON.stringify({ error: message }), ...(headers ? { headers } : {}) };
  }
  const refuse: Receiver['refuse'] = (status, reason) =>
    refused(status, reason, (reason && told[reason]) ?? titles[status]);

  return {
    maxBodyBytes,
    runtimes: () => [...runtimes.values()],
    refuse,
    async receive(request) {
      const isForm = isSlack(request);
      const text = bodyText(request);
      if (isUnread(text)) return refused(text.status, text.reason, text.message);
      const received = read(text, request.parsed, isForm);
      if (received === undefined) return refuse(400);
      if (isUnread(received)) return refused(received.status, received.reason, received.message);
      const { delivery, token } = received;
      const recipient = isForm
        ? byToken(token)
        : (known.get(delivery.botEmail.toLowerCase()) ??
          (resolve ? await resolved(delivery.botEmail) : unknown));
      const { runtime } = recipient;
      const isRight = isOneOf(recipient.tokens, token);
      if (runtime === undefined) return refuse(401, 'unknown_bot');
      if (!isRight) return refuse(401, 'wrong_token');
      const fault = faultOf(text, request.signature, token);
      if (fault !== undefined) return refuse(401, fault);
      if (delivery.trigger === 'unknown') {
        const { botEmail, trigger, sentTrigger } = delivery;
        if (hooks.onDelivery) report(hooks.onDelivery, { outcome: 'ignored', botEmail, trigger });
        warnOfTrigger(runtime, sentTrigger);
        return { status: 200, body: replyBody(undefined) };
      }
      runtime.warnIfNotStarted();
      return { status: 200, body: bodyOf(await runtime.dispatcher.accept(delivery), isForm) };
    },
    stop() {
      for (const { dispatcher } of runtimes.values()) dispatcher.stop();
    },
    async idle() {
      await Promise.all(Array.from(runtimes.values(), ({ dispatcher }) => dispatcher.idle()));
    },
    abort() {
      for (const { dispatcher } of runtimes.values()) dispatcher.abort();
    },
  };
}

/** Adds random tokens up to a number of tokens. */
const padded = (tokens: readonly ComparableToken[], width: number): readonly ComparableToken[] => [
  ...tokens,
  ...Array.from({ length: Math.max(0, width - tokens.length) }, randomToken),
];

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
} as const satisfies Readonly<Record<Exclude<WebhookResponse['status'], 200>, string>>;

const headersOf: Partial<Readonly<Record<RefusalReason | number, Record<string, string>>>> = {
  405: { allow: 'POST' },
  body_compressed: { 'accept-encoding': 'identity' },
};

/** Whether a request has the Slack-compatible form, which names no bot. */
const isSlack = ({ contentType }: WebhookRequest): boolean =>
  contentType !== 'application/json' &&
  mediaType(contentType) === 'application/x-www-form-urlencoded';

function bodyOf(reply: CheckedReply | undefined, isForm: boolean): string {
  if (reply === undefined || !isForm) return replyBody(reply);
  return JSON.stringify({ text: reply.content });
}

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
