import { fencedText } from '../values/fenced-text.ts';
import type { DeliveryFault } from './bot-deliveries/bot-delivery.ts';
import { deliveryFaults } from './delivery-faults.ts';
import type { FailedCall } from './delivery-result.ts';

/** Opens the notice in a conversation that a message could not be delivered to a bot. */
export const FAILURE_MARK = 'Failure! ';

/** The notice in a conversation that no attempt to deliver a message to a bot got an answer. */
export const BOT_UNAVAILABLE = 'The bot is unavailable.';

/** The notice in a conversation that the delivery of a message to a bot is tried again for longer. */
export const WAIT_NOTICE =
  'The bot does not answer yet. The server tries again and says here when it gives up.';

/** The longest time without a reply or a notice that there is none yet, in seconds. */
const MAX_SILENCE_SECONDS = 30;

/** When a message was sent, and when the next attempt to deliver it has ended at the latest, in seconds. */
export interface DeliveryTimes {
  readonly sentAt: number;
  readonly nextEndAt: number;
}

/** Whether the conversation gets `WAIT_NOTICE` now, unless it has got it: the next attempt may end too late. */
export const isWaitNoticeDue = ({ sentAt, nextEndAt }: DeliveryTimes): boolean =>
  nextEndAt > sentAt + MAX_SILENCE_SECONDS;

/** What is said of a delivery that has failed for good. */
export interface FailureNotices {
  /** In the conversation, if the message is addressed to the bot; has no text of the endpoint. */
  readonly here: string;
  /** What happened, to the owner of the bot. */
  readonly forOwner: string;
}

/** The notices of a failed call after which there is no other. */
export const failureNotices = ({ again, afterSeconds, reason }: FailedCall): FailureNotices => ({
  here: FAILURE_MARK + (again && afterSeconds === undefined ? BOT_UNAVAILABLE : reason),
  forOwner: again ? `All attempts failed. ${reason}` : reason,
});

/** The notices that the chat refuses the reply of a bot; `detail` says why. */
export function refusedReplyNotices(detail: string): FailureNotices {
  const reason = deliveryFaults.reply_refused.forConversation({ detail });
  return { here: FAILURE_MARK + reason, forOwner: reason };
}

/** The notice in the conversation that a webhook was not called. */
export const droppedNotice = (fault: DeliveryFault): string =>
  FAILURE_MARK + deliveryFaults[fault].forConversation({});

export interface OwnerNotice {
  readonly bot: { readonly id: number; readonly full_name: string };
  /** The address of the delivered message. */
  readonly link: string;
  /** What happened. */
  readonly text: string;
  /** What the endpoint answered, without secrets. */
  readonly excerpt?: string | undefined;
}

const MAX_QUOTED = 2000;

/** The direct message to the owner of a bot about a failed delivery. */
export function ownerNotice({ bot, link, text, excerpt = '' }: OwnerNotice): string {
  const quoted = excerpt.slice(0, MAX_QUOTED).toWellFormed().trim();
  const about = `The delivery of [a message](${link}) to @_**${bot.full_name}|${bot.id}** failed. ${text}`;
  return quoted === '' ? about : `${about}\n\n${fencedText(quoted)}`;
}
