import type { MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import type { CheckedReply } from '../reply.ts';
import type { Place } from '../rest/place.ts';
import type { ReplySender } from './reply-sender.ts';

export interface OutgoingReply {
  readonly place: Place;
  /** The message that is replied to. */
  readonly after: MessageId;
  readonly reply: CheckedReply;
}

/** Waits between the attempts to say something, in milliseconds. */
const WAITS: readonly number[] = [500, 2000, 10_000, 30_000, 60_000];

interface Circumstances {
  /** Whether an attempt may have been made before, of which nobody knows how it ended. */
  readonly maybeSaid?: boolean;
  readonly clock?: Clock;
}

/**
 * Says something by REST, and no more than once: after an attempt that failed it looks first whether
 * the message arrived all the same. Rejects with the last failure when all attempts are used up, and
 * at once with what the server refused.
 */
export async function sendOnce(
  replySender: ReplySender,
  { place, after, reply }: OutgoingReply,
  { maybeSaid = false, clock = systemClock }: Circumstances = {},
): Promise<void> {
  let look = maybeSaid;
  for (let attempt = 0; ; attempt++) {
    try {
      if (look && (await replySender.hasSent(place, after, reply.content))) return;
      look = true;
      await replySender.say(place, reply);
      return;
    } catch (error) {
      const wait = WAITS[attempt];
      const refused = error instanceof BotError && error.code === 'api_rejected';
      if (wait === undefined || refused) throw error;
      await sleep(clock, wait);
    }
  }
}
