import type { MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { ReplySender } from '../rest/reply-sender.ts';
import type { CheckedReply } from '../rest/reply.ts';

export interface OutgoingReply {
  readonly conversation: Conversation;
  /** The message that is replied to. */
  readonly after: MessageId;
  readonly reply: CheckedReply;
}

/** Waits between the attempts, in milliseconds. */
const WAITS: readonly number[] = [500, 2000, 10_000, 30_000, 60_000];

interface SendOptions {
  /** Whether an earlier attempt may have sent the reply. */
  readonly maybeSent?: boolean;
  readonly clock?: Clock;
}

/**
 * Sends a reply by REST, not more than once: after a failed attempt it first looks whether the
 * message has arrived. Rejects with the last failure after all attempts, and at once if the server
 * refuses the reply.
 */
export async function sendOnce(
  sender: ReplySender,
  { conversation, after, reply }: OutgoingReply,
  { maybeSent = false, clock = systemClock }: SendOptions = {},
): Promise<void> {
  let look = maybeSent;
  for (let attempt = 0; ; attempt++) {
    try {
      if (look && (await sender.hasSent(conversation, after, reply.content))) return;
      look = true;
      await sender.send(conversation, reply);
      return;
    } catch (error) {
      const wait = WAITS[attempt];
      const refused = error instanceof BotError && error.code === 'api_rejected';
      if (wait === undefined || refused) throw error;
      await sleep(clock, wait);
    }
  }
}
