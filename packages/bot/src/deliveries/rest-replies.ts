import type { Clock } from '../clock.ts';
import { messageParts } from '../rest/message-parts.ts';
import type { ReplySender } from '../rest/reply-sender.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { type OutgoingReply, sendOnce } from './send-once.ts';

interface RestRepliesOptions {
  readonly replySender: ReplySender;
  readonly clock: Clock;
  readonly to: Omit<OutgoingReply, 'reply'>;
  /** Keeps a message before it is sent, and the texts that follow it. False: nothing more is sent. */
  readonly note: (reply: CheckedReply) => Promise<boolean>;
}

/** Sends the replies to one delivery by REST; a long one in parts. */
export function restReplies({ replySender, clock, to, note }: RestRepliesOptions) {
  const sendNow = (reply: CheckedReply, maybeSent: boolean) =>
    sendOnce(replySender, { ...to, reply }, { clock, maybeSent });

  /** Sends messages one after the other; before each, the texts that remain are stored. */
  async function sendParts(messages: readonly CheckedReply[], maybeSent: boolean): Promise<void> {
    for (const [at, reply] of messages.entries()) {
      const rest = messages.slice(at + 1).map(({ content }) => content);
      if (!(await note(rest.length === 0 ? reply : { ...reply, rest }))) return;
      await sendNow(reply, maybeSent);
    }
  }

  return {
    send(reply: CheckedReply, maybeSent: boolean): Promise<void> {
      const [first, ...rest] = messageParts(reply.content);
      return sendParts([{ ...reply, content: first }, ...rest.map(messageOf)], maybeSent);
    },

    /**
     * Sends the replies that another process has noted: it may have sent the first of them, and
     * none of the rest.
     */
    async sendLeft({ rest = [], ...reply }: CheckedReply): Promise<void> {
      if (reply.content !== '') await sendNow(reply, true);
      await sendParts(rest.map(messageOf), false);
    },
  };
}

const messageOf = (content: string): CheckedReply => ({ content });
