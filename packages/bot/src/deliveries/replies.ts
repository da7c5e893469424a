import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import type { CheckedReply } from '../reply.ts';

interface Ways {
  /** Answers the delivery; undefined says nothing. Called once. */
  readonly answer: (reply: CheckedReply | undefined) => void;
  /** Says something by REST; undefined when the bot has no API key. */
  readonly say: ((reply: CheckedReply) => Promise<void>) | undefined;
  readonly clock: Clock;
}

/** A reply waits so long for the end of its handler before it goes out alone, in milliseconds. */
const HOLD_MS = 50;

/**
 * Where the replies to one delivery go. One fits in the answer, and that is the last one: those
 * before it are said by REST, so that they appear in the order they were made. A reply whose handler
 * works on goes out soon. After the deadline everything goes by REST.
 */
export class Replies {
  readonly #ways: Ways;
  #held: CheckedReply | undefined;
  /** Ends the wait of the first reply; there once it was made. */
  #stopHolding: (() => void) | undefined;
  #answered = false;
  #ended = false;
  #said = 0;
  /** The messages that are being said: each waits for the one before. */
  #saying: Promise<void> | undefined;
  /** What went wrong when nobody waited for it. */
  #trouble: unknown;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** Whether anything was replied, sent already or not. */
  get any(): boolean {
    return this.#stopHolding !== undefined || this.#said > 0;
  }

  /** How many replies were sent already, in whichever way. */
  get sent(): number {
    return this.#said + (this.#answered ? 1 : 0);
  }

  /** Replies. Resolves when the reply is on its way in order; rejects when it cannot be sent. */
  async add(reply: CheckedReply): Promise<void> {
    if (this.#ended)
      throw new BotError('handler_failed', 'ctx.reply was called after its handler had ended.');
    if (this.#answered) return this.#say(reply);
    if (this.#held !== undefined) await this.#flush();
    else if (this.#stopHolding === undefined) {
      this.#held = reply;
      const flush = () => void this.#flush().catch((error: unknown) => (this.#trouble = error));
      this.#stopHolding = this.#ways.clock.after(HOLD_MS, flush);
      return;
    }
    await this.#say(reply);
  }

  /** Takes back what was replied; false when some of it was sent. */
  retract(): boolean {
    if (this.sent > 0) return false;
    this.#stopHolding?.();
    this.#stopHolding = undefined;
    this.#held = undefined;
    return true;
  }

  /** Before something is said past these replies: what is held goes first. */
  async before(): Promise<void> {
    this.#said += 1;
    if (this.#held !== undefined) await this.#flush();
    await this.#saying;
  }

  /**
   * The handler has ended with this. Rejects when something could not be said; undefined when there
   * is nothing to wait for, as with a single reply in time.
   */
  end(reply: CheckedReply | undefined): Promise<void> | undefined {
    this.#ended = true;
    if (this.#answered || this.any) return this.#endInOrder(reply);
    this.#answer(reply);
    return undefined;
  }

  async #endInOrder(reply: CheckedReply | undefined): Promise<void> {
    this.#stopHolding?.();
    if (this.#held !== undefined && reply !== undefined) await this.#flush();
    await this.#saying;
    const last = reply ?? this.#held;
    this.#held = undefined;
    if (!this.#answered) this.#answer(last);
    else if (last !== undefined) await this.#say(last);
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  /** Answers with what there is: whatever comes after goes by REST. */
  answerNow(): void {
    if (this.#answered) return;
    this.#stopHolding?.();
    const held = this.#held;
    this.#held = undefined;
    this.#answer(held);
  }

  async #flush(): Promise<void> {
    this.#stopHolding?.();
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    if (this.#ways.say === undefined && !this.#answered) this.#answer(held);
    else await this.#say(held);
  }

  #answer(reply: CheckedReply | undefined): void {
    this.#answered = true;
    this.#ways.answer(reply);
  }

  #say(reply: CheckedReply): Promise<void> {
    const { say } = this.#ways;
    if (say === undefined) throw noApi();
    this.#said += 1;
    const said = this.#saying ? this.#saying.then(() => say(reply)) : say(reply);
    this.#saying = said.catch(() => {});
    return said;
  }
}

const noApi = () =>
  new BotError(
    'api_missing',
    'One reply fits in the answer to a webhook. For more, or later ones, the bot speaks by REST: ' +
      'give createBot `api: { url, apiKey }`.',
  );
