import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type Conversation, conversationOf } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';
import type { TopicMove } from '../rest/thread.ts';

/** Where the replies to a delivery go: to its conversation, or where its handler has moved the topic. */
export class ReplyPlace {
  readonly #delivery: Delivery;
  #movedTo: Conversation | undefined;

  constructor(delivery: Delivery) {
    this.#delivery = delivery;
  }

  get conversation(): Conversation {
    return this.#movedTo ?? conversationOf(this.#delivery);
  }

  /** Moves the topic. Throws BotError `api_rejected` for direct messages. */
  async move(rest: Rest, to: TopicMove): Promise<void> {
    const from = this.conversation;
    if (from.type !== 'channel')
      throw new BotError('api_rejected', 'Direct messages have no topic.');
    this.#movedTo = await rest.moveTopic(this.#delivery.message.id, from, to);
  }
}
