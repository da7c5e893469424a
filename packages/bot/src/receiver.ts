import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import { authenticator } from './authenticator.ts';
import type { Bot } from './create-bot.ts';
import { readDelivery } from './delivery.ts';
import { type Hooks, logFailure, report } from './hooks.ts';
import { type Reply, replyBody } from './reply.ts';

export interface ReceiveOptions {
  readonly hooks?: Hooks;
  /** The largest body that is read, 1 MiB unless said otherwise. */
  readonly maxBodyBytes?: number;
}

/** A JSON object, always: the server takes anything else for a failure and shows it to people. */
export interface Answer {
  readonly status: 200 | 400 | 401 | 405 | 413;
  readonly body: string;
}

/** What every adapter is made of. */
export interface Receiver {
  readonly maxBodyBytes: number;
  /** Answers a parsed body; undefined stands for one that could not be parsed. Never rejects. */
  readonly receive: (body: unknown) => Promise<Answer>;
  readonly refuse: (status: 400 | 401 | 405 | 413) => Answer;
}

export function receiver(
  bots: readonly Bot[],
  { hooks = {}, maxBodyBytes = 1024 * 1024 }: ReceiveOptions = {},
): Receiver {
  const authenticate = authenticator(bots);
  const { onError = logFailure, onDelivery } = hooks;

  const refuse: Receiver['refuse'] = (status) => {
    if (onDelivery) report(onDelivery, { outcome: 'refused', status });
    return { status, body: JSON.stringify({ error: STATUS_CODES[status] }) };
  };

  async function receive(body: unknown): Promise<Answer> {
    const delivery = readDelivery(body);
    if (delivery === undefined) return refuse(400);
    const bot = authenticate(delivery.bot_email, delivery.token);
    if (bot === undefined) return refuse(401);

    const { trigger, message } = delivery;
    const about = { bot_email: bot.email, message_id: message.id };
    const started = performance.now();
    let failed = false;
    let reply: Reply | undefined;
    let text: string;
    try {
      reply = await bot.handle(delivery);
      text = replyBody(reply);
    } catch (error) {
      failed = true;
      const reference = randomBytes(4).toString('hex');
      report(onError, { error, reference, ...about });
      text = replyBody({ content: `Something went wrong. Reference ${reference}` });
    }
    if (onDelivery) {
      const outcome = failed ? 'failed' : reply === undefined ? 'silent' : 'replied';
      const duration_ms = performance.now() - started;
      report(onDelivery, { outcome, status: 200, ...about, trigger, duration_ms });
    }
    return { status: 200, body: text };
  }

  return { maxBodyBytes, receive, refuse };
}

/** Undefined when the text is not JSON. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
