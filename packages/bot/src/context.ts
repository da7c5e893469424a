import { addressedText } from './addressed-text.ts';
import type { ChannelMessage, Delivery, DirectMessage } from './delivery.ts';
import type { Reply } from './reply.ts';

interface AnyContext {
  readonly bot: { readonly email: string; readonly full_name: string };
  /** What was said to the bot: the content without the bot's own mention at its start. */
  readonly text: string;
  /**
   * Replies in the conversation the message came from. One reply fits in the answer to a webhook:
   * throws when there is one already.
   */
  readonly reply: (reply: string | Reply) => Promise<void>;
}

export interface MentionContext extends AnyContext {
  readonly trigger: 'mention';
  readonly message: ChannelMessage;
}

export interface DirectMessageContext extends AnyContext {
  readonly trigger: 'direct_message';
  readonly message: DirectMessage;
}

/** What a handler is given; `trigger` tells which kind of message it is. */
export type Context = MentionContext | DirectMessageContext;

/** What the handler of a command is given. */
export type CommandContext = Context & {
  /** The command as it was declared. */
  readonly command: string;
  /** Everything after the command. */
  readonly rest: string;
  /** The words of `rest`; quoted words are kept together. */
  readonly words: readonly string[];
};

export function contextOf(delivery: Delivery, reply: AnyContext['reply']): Context {
  const { bot_email: email, bot_full_name: full_name, trigger, message } = delivery;
  const bot = { email, full_name };
  const text = addressedText(message.content, full_name);
  return trigger === 'mention'
    ? { trigger, message, bot, text, reply }
    : { trigger, message, bot, text, reply };
}
