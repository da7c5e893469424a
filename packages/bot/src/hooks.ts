import type { MessageId } from '@bellhop/protocol';

import type { BotErrorCode } from './bot-error.ts';
import type { Trigger } from './delivery.ts';

/** Identifies a delivery. */
export interface DeliveryInfo {
  readonly botEmail: string;
  readonly messageId: MessageId;
  readonly trigger: Trigger;
}

/** A failed handler. The user gets only the reference. */
export interface Failure extends Partial<DeliveryInfo> {
  readonly error: unknown;
  readonly code: BotErrorCode;
  readonly reference: string;
  readonly botEmail: string;
  /** The name of the schedule or task, if it was not a message. */
  readonly work?: string;
}

/**
 * Why a request was refused: with 401, with 400 (`body_lost`: the application has read the body before
 * the bot and not kept it; `body_not_utf8`), or with 415 (`body_compressed`, `body_charset`: the headers
 * declare a content-encoding or another charset than UTF-8). The response tells of the body, and of
 * `wrong_clock`, whose signature is genuine, so it goes to a holder of the token; of no other reason.
 */
export type RefusalReason =
  | 'unknown_bot'
  | 'wrong_token'
  | 'wrong_signature'
  | 'wrong_clock'
  | 'body_lost'
  | 'body_not_utf8'
  | 'body_compressed'
  | 'body_charset';

/**
 * The outcome of a request. `deferred`: the deadline has passed or the reply needs several messages, it
 * follows by REST and is reported then, with `via` `rest`. `repeated`: the delivery got the answer of an earlier one.
 * `paused`: the bot replies too often in this conversation. `ignored`: this version does not know the
 * trigger; the delivery is acknowledged without a reply. `refused`: the request is not for one of
 * the bots; its sender is unknown.
 */
export type DeliveryReport =
  | {
      readonly outcome: 'refused';
      readonly status: 400 | 401 | 405 | 413 | 415;
      /** With 401 and 415, and with 400 if the body is lost or not UTF-8. */
      readonly reason?: RefusalReason;
    }
  | { readonly outcome: 'ignored'; readonly botEmail: string; readonly trigger: 'unknown' }
  | (DeliveryInfo & { readonly outcome: 'repeated' | 'paused' | 'deferred' })
  | (DeliveryInfo & {
      readonly outcome: 'replied' | 'silent' | 'failed';
      readonly via: 'response' | 'rest';
      readonly durationMs: number;
    });

/** A problem that did not stop a delivery. */
export interface Warning {
  readonly code:
    | 'api_missing'
    | 'follow_ups_missing'
    | 'changes_missing'
    | 'not_started'
    | 'paused'
    | 'question_left'
    | 'unknown_trigger'
    | 'store_failed'
    | 'stored_state_dropped'
    | 'queue_trouble';
  readonly message: string;
  readonly botEmail: string;
  readonly error?: unknown;
}

/** Tells a hook of a problem. */
export type Warn = (code: Warning['code'], message: string, error?: unknown) => void;

/** Functions for logs, metrics and traces. An error in a hook does not affect the delivery. */
export interface Hooks {
  /** Without it, failures are written to standard error as one line of JSON each. */
  readonly onError?: (failure: Failure) => void;
  /** Without it, warnings are written to standard error as one line of JSON each. */
  readonly onWarning?: (warning: Warning) => void;
  /** Without it, the reason of a refusal is written to standard error, at most once in ten seconds. */
  readonly onDelivery?: (report: DeliveryReport) => void;
  /** Called around each handler. It must call `run` once and return its result. */
  readonly around?: <T>(about: DeliveryInfo, run: () => Promise<T>) => Promise<T>;
}

export function report<T>(hook: ((about: T) => void) | undefined, about: T): void {
  try {
    // An async hook may reject: that must not end the process.
    Promise.resolve(hook?.(about)).catch(logFailedHook);
  } catch (error) {
    logFailedHook(error);
  }
}

export function logFailure({ error, ...about }: Failure): void {
  logLine('error', { msg: 'handler failed', ...about, error: describe(error) });
}

export function logWarning({ error, message: msg, ...about }: Warning): void {
  logLine('warn', { msg, ...about, ...(error === undefined ? {} : { error: describe(error) }) });
}

/** Logs why deliveries are refused; `missed` others were refused since the last line. */
export function logRefusal(reason: RefusalReason, missed: number): void {
  const [status, help] = refusals[reason];
  logLine('warn', { msg: `delivery refused with ${status}`, reason, help, missed });
}

const refusals: Readonly<Record<RefusalReason, readonly [status: number, help: string]>> = {
  unknown_bot: [401, 'It is for a bot with another e-mail address: check BOT_EMAIL.'],
  wrong_token: [401, 'Its token is not the one of this bot: check BOT_TOKEN, or it is forged.'],
  wrong_signature: [
    401,
    'Its signature does not fit its body and time: check proxies that change bodies, or it is forged.',
  ],
  wrong_clock: [
    401,
    'Its time is more than five minutes from the clock of the bot: check both clocks, or it is an old delivery, sent again.',
  ],
  body_lost: [
    400,
    'Something in the application has read its body before the bot and not kept it: mount the webhook before body parsers and whatever reads bodies.',
  ],
  body_not_utf8: [
    400,
    'Its body is not valid UTF-8: send it as UTF-8, and check proxies that change or compress bodies.',
  ],
  body_compressed: [
    415,
    'Its body is compressed (content-encoding): send it as it is, and check proxies that compress bodies.',
  ],
  body_charset: [415, 'Its content-type declares another charset than UTF-8: send it as UTF-8.'],
};

function logFailedHook(error: unknown): void {
  logLine('error', { msg: 'hook failed', error: describe(error) });
}

function logLine(level: 'error' | 'warn', line: Readonly<Record<string, unknown>>): void {
  const time = new Date().toISOString();
  process.stderr.write(`${JSON.stringify({ level, time, ...line })}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
