import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import type { CheckedReply } from '../reply.ts';
import { cutToOne, MAX_MESSAGE_LENGTH, messageParts } from '../rest/message-parts.ts';

/** How the replies to one delivery leave the bot. */
export interface ReplyChannels {
  readonly clock: Clock;
  /** Answers the delivery, once; undefined is an answer without a reply. */
  readonly answerWith: (reply: CheckedReply | undefined) => void;
  /** Whether replies can go by REST. */
  readonly canSend: boolean;
  readonly send: (reply: CheckedReply) => Promise<void>;
  /** Answers the delivery without a reply, so that all parts of a long one go by REST. */
  readonly defer: () => Promise<void>;
  /** Called for a reply that is cut: it needs several messages, and only one can be sent. */
  readonly onCut: () => void;
}

/** How long the first reply waits for the end of its handler before it is sent, in milliseconds. */
const HOLD_MS = 50;

/**
 * Decides how the replies to one delivery are sent. The last one goes in the answer; those before it
 * go by REST, so that they appear in the order they were made. A first reply whose handler goes on
 * is sent after HOLD_MS. After the deadline all replies go by REST.
 */
export class Replies {
  readonly #channels: ReplyChannels;
  #held: CheckedReply | undefined;
  /** Cancels the timer of the first reply; set once that reply was made. */
  #stopHolding: (() => void) | undefined;
  #answered = false;
  #ended = false;
  #sentByRest = 0;
  /** The replies that are being sent by REST: each waits for the one before. Undefined before the first. */
  #sending: Promise<void> | undefined;
  /** The failure of a reply that no caller waited for. */
  #failure: unknown;

  constructor(channels: ReplyChannels) {
    this.#channels = channels;
  }

  /** Whether there was a reply, sent or not. */
  get any(): boolean {
    return this.#stopHolding !== undefined || this.#sentByRest > 0;
  }

  /** How many replies were sent, in the answer or by REST. */
  get sent(): number {
    return this.#sentByRest + (this.#answered ? 1 : 0);
  }

  /** Resolves when the reply is held or sent; rejects when it cannot be sent. */
  async add(reply: CheckedReply): Promise<void> {
    if (this.#ended)
      throw new BotError('handler_failed', 'ctx.reply was called after its handler had ended.');
    if (isLong(reply)) return this.#addLong(reply);
    if (this.#answered) return this.#send(reply);
    if (this.#held !== undefined) await this.#flush();
    else if (this.#stopHolding === undefined) {
      this.#held = reply;
      const flush = () => void this.#flush().catch((error: unknown) => (this.#failure = error));
      this.#stopHolding = this.#channels.clock.after(HOLD_MS, flush);
      return;
    }
    await this.#send(reply);
  }

  /** Drops replies that were not sent yet; false if some were sent. */
  retract(): boolean {
    if (this.sent > 0) return false;
    this.#stopHolding?.();
    this.#stopHolding = undefined;
    this.#held = undefined;
    return true;
  }

  /** Sends the held reply before the handler sends something else by REST. */
  async beforeRest(): Promise<void> {
    this.#sentByRest += 1;
    if (this.#held !== undefined) await this.#flush();
    await this.#sending;
  }

  /** The handler has ended with this reply. Rejects when a reply could not be sent. */
  async end(reply: CheckedReply | undefined): Promise<void> {
    this.#ended = true;
    this.#stopHolding?.();
    if (this.#held !== undefined && reply !== undefined) await this.#flush();
    if (this.#sending !== undefined) await this.#sending;
    const last = reply ?? this.#held;
    this.#held = undefined;
    if (last !== undefined && isLong(last)) await this.#addLong(last);
    else if (!this.#answered) this.#answer(last);
    else if (last !== undefined) await this.#send(last);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Answers with the held reply, if there is one. Later replies go by REST. */
  answerNow(): void {
    if (this.#answered) return;
    this.#stopHolding?.();
    const held = this.#held;
    this.#held = undefined;
    this.#answer(held);
  }

  /** All parts go by REST: they arrive in order, and a crash loses none of them. */
  async #addLong(reply: CheckedReply): Promise<void> {
    messageParts(reply.content);
    if (this.#channels.canSend) {
      if (this.#held !== undefined) await this.#flush();
      if (!this.#answered) await this.#channels.defer();
      return this.#send(reply);
    }
    if (this.#answered || this.#held !== undefined) throw noApi();
    this.#channels.onCut();
    this.#answer({ ...reply, content: cutToOne(reply.content) });
  }

  /** Answers without a reply: all replies go by REST, the held one first. */
  deferAnswer(): void {
    if (this.#answered) return;
    this.#answer(undefined);
    if (this.#held !== undefined)
      void this.#flush().catch((error: unknown) => (this.#failure = error));
  }

  async #flush(): Promise<void> {
    this.#stopHolding?.();
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    if (!this.#channels.canSend && !this.#answered) this.#answer(held);
    else await this.#send(held);
  }

  #answer(reply: CheckedReply | undefined): void {
    this.#answered = true;
    this.#channels.answerWith(reply);
  }

  async #send(reply: CheckedReply): Promise<void> {
    if (!this.#channels.canSend) throw noApi();
    this.#sentByRest += 1;
    const send = () => this.#channels.send(reply);
    const sent = this.#sending === undefined ? send() : this.#sending.then(send);
    this.#sending = sent.catch(() => {});
    await sent;
  }
}

const isLong = ({ content }: CheckedReply) => content.length > MAX_MESSAGE_LENGTH;

const noApi = () =>
  new BotError(
    'api_missing',
    'One reply fits in the answer to a webhook. More or later replies need the REST API: ' +
      'give createBot `api: { url, apiKey }`.',
  );
