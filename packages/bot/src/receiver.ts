import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import { authenticator, type ResolveBot } from './authenticator.ts';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher.ts';
import { type Delivery, type Received, readDelivery, readSlackDelivery } from './delivery.ts';
import { type Hooks, logFailure, report } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import { type CheckedReply, replyBody } from './reply.ts';
import { isGenuineOrAbsent, type Signature } from './signature.ts';

export interface WebhookOptions {
  readonly hooks?: Hooks;
  /** Larger bodies are refused with 413. 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /**
   * How long an answer may take, in milliseconds; a later reply is sent by REST. 8000 unless given:
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
  readonly status: 200 | 400 | 401 | 405 | 413;
  readonly body: string;
}

/** A delivery as the adapters hand it over. */
export interface WebhookRequest {
  /** The raw body; undefined if the application has parsed it. */
  readonly text: string | undefined;
  /** The body as the application has parsed it. */
  readonly parsed?: unknown;
  readonly contentType: string | undefined;
  readonly signature: Signature;
}

/** The core of every adapter. */
export interface Receiver {
  readonly maxBodyBytes: number;
  /** Never rejects. */
  readonly receive: (request: WebhookRequest) => Promise<WebhookResponse>;
  readonly refuse: (status: 400 | 401 | 405 | 413) => WebhookResponse;
  /** Sends the replies that other processes have left no more: this process ends. */
  readonly stop: () => void;
  /** Resolves when no handler runs any more. */
  readonly idle: () => Promise<void>;
  /** Aborts the signals of all handlers. */
  readonly abort: () => void;
}

export function receiver(
  bots: readonly AnyBot[],
  { hooks = {}, maxBodyBytes = 1024 * 1024, deadlineMs = 8000, resolve }: WebhookOptions = {},
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

  /** The bot that a delivery is for, if its token is right. */
  async function authenticate({ delivery, token }: Received): Promise<AnyBot | undefined> {
    if (isSlack(delivery)) return byToken(token);
    const { bot_email } = delivery;
    try {
      return await byEmail(bot_email, token);
    } catch (error) {
      const reference = randomBytes(4).toString('hex');
      report(hooks.onError ?? logFailure, { error, code: 'handler_failed', reference, bot_email });
      return undefined;
    }
  }

  return {
    maxBodyBytes,
    refuse,
    async receive(request) {
      const received = read(request);
      if (received === undefined) return refuse(400);
      const bot = await authenticate(received);
      if (bot === undefined || !isGenuine(request, received.token)) return refuse(401);
      const reply = await dispatcherOf(bot).accept(received.delivery);
      return { status: 200, body: bodyOf(reply, received.delivery) };
    },
    stop() {
      for (const dispatcher of dispatchers.values()) dispatcher.stop();
    },
    async idle() {
      await Promise.all(Array.from(dispatchers.values(), (dispatcher) => dispatcher.idle()));
    },
    abort() {
      for (const dispatcher of dispatchers.values()) dispatcher.abort();
    },
  };
}

/** A signature covers the raw body: it is not checked where the application has parsed the body. */
function isGenuine({ text, signature }: WebhookRequest, token: string): boolean {
  return text === undefined || isGenuineOrAbsent(signature, { token, body: text, now: Date.now() });
}

/** The Slack-compatible form has no message id. */
const isSlack = ({ message }: Delivery) => message.id === 0;

function bodyOf(reply: CheckedReply | undefined, delivery: Delivery): string {
  if (reply === undefined || !isSlack(delivery)) return replyBody(reply);
  return JSON.stringify({ text: reply.content });
}

function read({ text, parsed, contentType }: WebhookRequest): Received | undefined {
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
