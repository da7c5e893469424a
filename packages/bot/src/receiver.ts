import { randomBytes } from 'node:crypto';

import { misconfigured } from './bot-error.ts';
import { type Hooks, logFailure, type RefusalReason, report } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';
import type { Place } from './not-started.ts';
import {
  isRefused,
  openDelivery,
  type Recipient,
  type Refusal,
  refusalResponse,
  type WebhookRequest,
  type WebhookResponse,
} from './open-delivery.ts';
import { refusalLog } from './refusal-log.ts';
import { type CheckedReply, replyBody } from './rest/reply.ts';
import { Runtime } from './runtime.ts';
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
  const unknown: Recipient<Runtime> = { bot: undefined, tokens: padded([], width) };

  function recipientOf(bot: AnyBot): Recipient<Runtime> {
    const { tokens } = bot[internals].settings;
    if (tokens.length === 0) throw noToken(bot.email);
    let runtime = runtimes.get(bot);
    if (runtime === undefined) {
      runtime = new Runtime(bot, { hooks, deadlineMs, place });
      runtimes.set(bot, runtime);
      runtime.mounted();
    }
    return { bot: runtime, tokens: padded(tokens, width) };
  }

  async function resolved(botEmail: string): Promise<Recipient<Runtime>> {
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
  function byToken(token: string): Recipient<Runtime> {
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

  const byEmail = (email: string) =>
    known.get(email.toLowerCase()) ?? (resolve ? resolved(email) : unknown);

  const logRefusal = refusalLog();
  function refused(refusal: Refusal): WebhookResponse {
    const { status, reason } = refusal;
    if (hooks.onDelivery)
      report(hooks.onDelivery, { outcome: 'refused', status, ...(reason ? { reason } : {}) });
    else if (reason) logRefusal(reason);
    return refusalResponse(refusal);
  }

  return {
    maxBodyBytes,
    runtimes: () => [...runtimes.values()],
    refuse: (status, reason) => refused({ status, reason }),
    async receive(request) {
      const opened = await openDelivery(request, { byEmail, byToken });
      if (isRefused(opened)) return refused(opened);
      const { bot: runtime, delivery, isForm } = opened;
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

function bodyOf(reply: CheckedReply | undefined, isForm: boolean): string {
  if (reply === undefined || !isForm) return replyBody(reply);
  return JSON.stringify({ text: reply.content });
}
