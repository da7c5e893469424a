import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import type { Warning } from '../hooks.ts';
import { type Conversation, conversationOf } from '../rest/conversation.ts';
import { cutToOne, MAX_MESSAGE_LENGTH, messageParts } from '../rest/message-parts.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { requireRest } from '../rest/rest.ts';
import type { TopicMove } from '../rest/thread.ts';
import type { BotServices } from '../routing/turn.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import { restReplies } from './rest-replies.ts';

/** The run of a delivery, as its replies see it. */
export interface RepliedRun {
  readonly delivery: Delivery;
  readonly services: BotServices;
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest: boolean;
  /** An earlier process may have sent the replies. */
  readonly maybeSent: boolean;
  /** Undefined for a bot without a store. */
  readonly record: DeliveryRecord | undefined;
  /** Another message or process has taken the place of the run: nothing more is sent. */
  readonly superseded: boolean;
  readonly signal: AbortSignal;
  /** The delivery was answered without a reply: the replies follow by REST. */
  readonly onDeferred: () => void;
  readonly warn: (code: Warning['code'], message: string, error?: unknown) => void;
}

/**
 * Where the next reply of the handler goes. `open`: it is held, to go in the answer. `held`: one is, and
 * goes by REST before the next. `byRest`: by REST. `ended`: nowhere, the handler has ended.
 */
type State =
  | { readonly is: 'open' | 'byRest' | 'ended' }
  | { readonly is: 'held'; readonly reply: CheckedReply; readonly stopTimer: () => void };

const OPEN: State = { is: 'open' };
const BY_REST: State = { is: 'byRest' };
const ENDED: State = { is: 'ended' };

/** How long the first reply waits for the end of its handler before it is sent, in milliseconds. */
const HOLD_MS = 50;

/**
 * The answer to a delivery and the other replies to it. The last reply goes in the answer; those before
 * it go by REST, so that they appear in the order they were made. A first reply whose handler goes on
 * is sent after HOLD_MS. After the deadline all replies go by REST.
 */
export class Replies {
  /** Set when the delivery is answered; `reply` is undefined for an answer without a reply. */
  answered: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #run: RepliedRun;
  readonly #answer = Promise.withResolvers<CheckedReply | undefined>();
  #state: State = OPEN;
  /** No reply goes in the answer: the deadline has passed, or no answer was open. */
  #isDeferred: boolean;
  #sentByRest = 0;
  /** What the next reply by REST waits for: the one before, and the note that the delivery is late. */
  #sending: Promise<unknown> | undefined;
  /** The failure of a reply that no caller waited for. */
  #failure: unknown;
  /** Where the handler has moved the topic of the delivery. */
  #movedTo: Conversation | undefined;

  constructor(run: RepliedRun) {
    this.#run = run;
    this.#isDeferred = run.byRest;
    if (run.byRest) this.answerWith(undefined);
  }

  /** The reply in the answer to the delivery, or undefined. Never rejects. */
  get answer(): Promise<CheckedReply | undefined> {
    return this.#answer.promise;
  }

  /** How the last reply goes. */
  get via(): 'response' | 'rest' {
    return this.#isDeferred && this.answered !== undefined ? 'rest' : 'response';
  }

  /** Whether there was a reply, sent or not. */
  get any(): boolean {
    return this.#sentByRest > 0 || this.answered?.reply !== undefined;
  }

  /** The conversation that replies go to. */
  get conversation(): Conversation {
    return this.#movedTo ?? conversationOf(this.#run.delivery);
  }

  /** Resolves when the reply is held or sent; rejects when it cannot be sent. */
  async add(reply: CheckedReply): Promise<void> {
    if (this.#run.superseded) return;
    if (this.#state.is === 'ended')
      throw new BotError('handler_failed', 'ctx.reply was called after its handler had ended.');
    if (isLong(reply)) return this.#addLong(reply);
    if (this.#state.is === 'open' && this.answered === undefined) return this.#hold(reply);
    const held = this.#takeHeld();
    if (held !== undefined) await this.#sendFirst(held);
    await this.#send(reply);
  }

  /** Drops replies that were not sent yet; false if some were sent. */
  retract(): boolean {
    if (this.#sent > 0) return false;
    if (this.#state.is === 'held') {
      this.#state.stopTimer();
      this.#state = OPEN;
    }
    return true;
  }

  /** Sends the held reply before the handler sends something else by REST. */
  async beforeRest(): Promise<void> {
    const run = this.#run;
    if (run.superseded) throw run.signal.reason;
    const held = this.#takeHeld();
    this.#sentByRest += 1;
    if (held !== undefined) await this.#sendFirst(held);
    await this.#allSent();
    const isOurs = await run.record?.noteSending({ content: '' });
    if (isOurs === false || run.superseded) throw run.signal.reason;
  }

  /**
   * Moves the topic of the delivery; later replies go to its new place. Throws BotError `api_rejected`
   * for direct messages.
   */
  async moveTopic(to: TopicMove): Promise<void> {
    await this.beforeRest();
    const rest = requireRest(this.#run.services.rest);
    const from = this.conversation;
    if (from.type !== 'channel')
      throw new BotError('api_rejected', 'Direct messages have no topic.');
    this.#movedTo = await rest.moveTopic(this.#run.delivery.message.id, from, to);
    // The answer to the webhook would go to the old topic.
    this.answerNow();
  }

  /** The handler has ended with this reply. Rejects when a reply could not be sent. */
  async end(result: CheckedReply | undefined): Promise<void> {
    const reply = this.#run.superseded ? undefined : result;
    const held = this.#takeHeld();
    this.#state = ENDED;
    if (held !== undefined && reply !== undefined) await this.#sendFirst(held);
    if (this.#sending !== undefined) await this.#allSent();
    const last = reply ?? held;
    if (last !== undefined && isLong(last)) await this.#addLong(last);
    else if (this.answered === undefined) this.answerWith(last);
    else if (last !== undefined) await this.#send(last);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Answers with the held reply, if there is one. Later replies go by REST. */
  answerNow(): void {
    if (this.answered === undefined) this.answerWith(this.#takeHeld());
  }

  /** Answers the delivery, once; undefined is an answer without a reply. */
  answerWith(reply: CheckedReply | undefined): void {
    if (this.answered !== undefined) return;
    this.answered = { reply };
    if (reply !== undefined) {
      const { services, delivery } = this.#run;
      const { content } = reply;
      services.record?.({ action: 'answered', messageId: delivery.message.id, content });
    }
    this.#answer.resolve(reply);
  }

  /**
   * The deadline has passed. With an API key the delivery is answered without a reply, and the reply
   * is sent by REST. Without one the answer stays open: the server delivers again and gets it then.
   * The answer also stays open until this process has claimed the delivery.
   */
  async defer(): Promise<void> {
    const isOurs = this.#run.record?.isOurs !== false;
    if (this.#isDeferred || this.answered !== undefined || !isOurs || !this.#canSend) return;
    this.#isDeferred = true;
    const held = this.#takeHeld();
    const noted = this.#deferNow();
    this.#sending = Promise.all([this.#sending, noted]);
    if (held !== undefined) this.#sendUnawaited(held);
    await noted;
  }

  async #deferNow(): Promise<void> {
    try {
      await this.#run.record?.defer(this.#sent > 0);
    } catch (error) {
      const message = 'The store cannot keep a pending reply: a crash would lose it.';
      this.#run.warn('store_failed', message, error);
    }
    if (this.answered !== undefined) return;
    this.#run.onDeferred();
    this.answerWith(undefined);
  }

  /** Sends the reply that another process was sending when it died. */
  async sendLeft(reply: CheckedReply): Promise<void> {
    await this.#restReplies?.sendLeft(reply);
  }

  /** How many replies were sent, in the answer or by REST. */
  get #sent(): number {
    return this.#sentByRest + (this.answered === undefined ? 0 : 1);
  }

  // The Slack-compatible form names no topic, so nothing can be sent to it by REST.
  get #canSend(): boolean {
    const { services, delivery } = this.#run;
    return services.replySender !== undefined && delivery.message.id > 0;
  }

  /** All parts go by REST: they arrive in order, and a crash loses none of them. */
  async #addLong(reply: CheckedReply): Promise<void> {
    messageParts(reply.content);
    if (this.#canSend) {
      await this.defer();
      return this.#send(reply);
    }
    if (this.answered !== undefined || this.#state.is === 'held') throw noApi();
    const message =
      'A reply is longer than one message. Give createBot `api: { url, apiKey }`: then it is sent in parts.';
    this.#run.warn('api_missing', message);
    this.answerWith({ ...reply, content: cutToOne(reply.content) });
  }

  #hold(reply: CheckedReply): void {
    const stopTimer = this.#run.services.clock.after(HOLD_MS, () => {
      const held = this.#takeHeld();
      if (held !== undefined) this.#sendUnawaited(held);
    });
    this.#state = { is: 'held', reply, stopTimer };
  }

  /** Takes the held reply. From now on replies go by REST. */
  #takeHeld(): CheckedReply | undefined {
    const state = this.#state;
    if (state.is !== 'ended') this.#state = BY_REST;
    if (state.is !== 'held') return undefined;
    state.stopTimer();
    return state.reply;
  }

  /** Sends the held reply; without the REST API it is the answer. */
  async #sendFirst(held: CheckedReply): Promise<void> {
    if (!this.#canSend && this.answered === undefined) this.answerWith(held);
    else await this.#send(held);
  }

  #sendUnawaited(held: CheckedReply): void {
    this.#sendFirst(held).catch((error: unknown) => (this.#failure = error));
  }

  async #send(reply: CheckedReply): Promise<void> {
    if (!this.#canSend) throw noApi();
    this.#sentByRest += 1;
    const send = async () => this.#restReplies?.send(reply, this.#run.maybeSent);
    const sent = this.#sending === undefined ? send() : this.#sending.then(send);
    this.#sending = sent.catch(() => {});
    await sent;
  }

  /** Resolves when nothing is being sent or noted. */
  async #allSent(): Promise<void> {
    for (let sending = this.#sending; sending !== undefined;) {
      await sending;
      sending = sending === this.#sending ? undefined : this.#sending;
    }
  }

  get #restReplies() {
    const { services, delivery, record } = this.#run;
    const { replySender, clock } = services;
    return (
      replySender &&
      restReplies({
        replySender,
        clock,
        to: { conversation: this.conversation, after: delivery.message.id },
        note: async (reply) =>
          !this.#run.superseded && (await record?.noteSending(reply)) !== false,
      })
    );
  }
}

const isLong = ({ content }: CheckedReply) => content.length > MAX_MESSAGE_LENGTH;

const noApi = () =>
  new BotError(
    'api_missing',
    'One reply fits in the answer to a webhook. More or later replies need the REST API: ' +
      'give createBot `api: { url, apiKey }`.',
  );
