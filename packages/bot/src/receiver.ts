import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import { authenticator, type ResolveBot } from './authenticator.ts';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher.ts';
import { type Delivery, type Received, readDelivery, readSlackDelivery } from './delivery.ts';
import { type Hooks, logFailure, report } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import { type CheckedReply, replyBody } from './reply.ts';
import { isGenuineOrAbsent, type Signature } from './signature.ts';

export interface ReceiveOptions {
  readonly hooks?: Hooks;
  /** The largest body that is read, 1 MiB unless said otherwise. */
  readonly maxBodyBytes?: number;
  /**
   * How long an answer may take before the reply goes by REST: 8000 unless said otherwise, for the
   * server waits 10 s.
   */
  readonly deadlineMs?: number;
  /**
   * Finds bots that are not in the list, by their e-mail address. Its answers are not kept: give the
   * same bot for the same address, or repeats are not recognised. When it rejects, the delivery is
   * refused as one for an unknown bot, and `onError` is told.
   */
  readonly resolve?: ResolveBot;
}

/** A JSON object, always: the server takes anything else for a failure and shows it to people. */
export interface Answer {
  readonly status: 200 | 400 | 401 | 405 | 413;
  readonly body: string;
}

/** A request as every adapter brings it. */
export interface Incoming {
  /** The body as it came; undefined when something else has parsed it already. */
  readonly text: string | undefined;
  /** What was parsed already. */
  readonly parsed?: unknown;
  readonly contentType: string | undefined;
  readonly signature: Signature;
}

/** What every adapter is made of. */
export interface Receiver {
  readonly maxBodyBytes: number;
  /** Never rejects, and is no promise when there was nothing to wait for. */
  readonly receive: (incoming: Incoming) => Answer | Promise<Answer>;
  readonly refuse: (status: 400 | 401 | 405 | 413) => Answer;
  /** Resolves when no handler runs any more. */
  readonly idle: () => Promise<void>;
  /** Tells all handlers to stop. */
  readonly abort: () => void;
}

const SILENCE: Answer = { status: 200, body: replyBody(undefined) };

export function receiver(
  bots: readonly AnyBot[],
  { hooks = {}, maxBodyBytes = 1024 * 1024, deadlineMs = 8000, resolve }: ReceiveOptions = {},
): Receiver {
  const { byEmail, byToken } = authenticator(bots, resolve);
  const dispatchers = new Map<AnyBot, DeliveryDispatcher>();

  const dispatcherOf = (bot: AnyBot): DeliveryDispatcher => {
    const known = dispatchers.get(bot);
    if (known !== undefined) return known;
    const dispatcher = new DeliveryDispatcher(bot, { hooks, deadlineMs });
    dispatchers.set(bot, dispatcher);
    return dispatcher;
  };
  for (const bot of bots) dispatcherOf(bot);

  const refuse: Receiver['refuse'] = (status) => {
    if (hooks.onDelivery) report(hooks.onDelivery, { outcome: 'refused', status });
    return { status, body: JSON.stringify({ error: STATUS_CODES[status] }) };
  };

  const unresolved = (bot_email: string) => (error: unknown) => {
    const reference = randomBytes(4).toString('hex');
    report(hooks.onError ?? logFailure, { error, code: 'handler_failed', reference, bot_email });
    return undefined;
  };

  /** Answers a delivery to a bot that was found, if it is genuine. */
  function answer(bot: AnyBot | undefined, received: Received, { text, signature }: Incoming) {
    if (bot === undefined) return refuse(401);
    const { delivery, token } = received;
    if (text !== undefined && signature.signature !== undefined) {
      const now = Date.now();
      if (!isGenuineOrAbsent(signature, { token, body: text, now })) return refuse(401);
    }
    const said = (reply: CheckedReply | undefined) => answerWith(reply, delivery);
    const reply = dispatcherOf(bot).accept(delivery);
    return reply instanceof Promise ? reply.then(said) : said(reply);
  }

  return {
    maxBodyBytes,
    refuse,
    receive(incoming) {
      const received = read(incoming);
      if (received === undefined) return refuse(400);
      const { delivery, token } = received;
      const found = isSlack(delivery) ? byToken(token) : byEmail(delivery.bot_email, token);
      if (!(found instanceof Promise)) return answer(found, received, incoming);
      return found
        .catch(unresolved(delivery.bot_email))
        .then((bot) => answer(bot, received, incoming));
    },
    async idle() {
      await Promise.all(Array.from(dispatchers.values(), (dispatcher) => dispatcher.idle()));
    },
    abort() {
      for (const dispatcher of dispatchers.values()) dispatcher.abort();
    },
  };
}

/** The Slack-compatible form has neither the id of the message nor the keys of the other answer. */
const isSlack = ({ message }: Delivery) => message.id === 0;

function answerWith(reply: CheckedReply | undefined, delivery: Delivery): Answer {
  if (reply === undefined) return SILENCE;
  const body = isSlack(delivery) ? JSON.stringify({ text: reply.content }) : replyBody(reply);
  return { status: 200, body };
}

function read({ text, parsed, contentType }: Incoming): Received | undefined {
  if (contentType?.startsWith('application/x-www-form-urlencoded')) {
    const fields = text === undefined ? parsed : Object.fromEntries(new URLSearchParams(text));
    return readSlackDelivery(fields);
  }
  return readDelivery(text === undefined ? parsed : parsedJson(text));
}

/** Undefined when the text is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
