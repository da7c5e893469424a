import { ApiError } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import { flagBits } from '../messages/read/flags.ts';
import { addFlags } from '../messages/read/recipient-flags.ts';
import type { LoadedDelivery } from './load-delivery.ts';
import { admitFailure, quoted, replyAsBot, tellOwner } from './speak-as-bot.ts';
import { recordFailure, recordSuccess } from './webhook-health.ts';
import type { Verdict } from './webhook-result.ts';

interface Ended {
  readonly delivery: LoadedDelivery;
  readonly verdict: Verdict;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** What an attempt leaves behind that will be repeated: a mark against the endpoint. */
export async function concludeAttempt(change: Change, { delivery, verdict, now }: Ended) {
  const { id, base_url } = delivery.service;
  const which = { realm_id: delivery.realm.id, id, base_url, now };
  if (verdict.kind === 'silence' || verdict.kind === 'reply' || !verdict.isBroken) {
    const hasAnswered = verdict.kind === 'silence' || verdict.kind === 'reply';
    if (hasAnswered) await recordSuccess(change.db, which);
    return;
  }
  const isGone = verdict.kind === 'failure' && verdict.isGone === true;
  if (!(await recordFailure(change.db, which, isGone))) return;
  const why = isGone ? 'because it says that it is gone' : 'after a day of nothing but failures';
  const content = `Its webhook is disabled ${why}. It is tried again once in a while, and enabled again when it answers.`;
  await tellOwner(change, { delivery, now, content });
}

/**
 * What the last attempt leaves behind, in the transaction that ends the job, so that no reply is
 * ever seen twice: the reply, or a word about the failure here and more about it to the owner.
 */
export async function concludeDelivery(change: Change, ended: Ended): Promise<void> {
  const { delivery, verdict, now } = ended;
  await concludeAttempt(change, ended);
  if (verdict.kind === 'reply') await reply(change, { ...ended, verdict });
  if (verdict.kind === 'failure') {
    await admitFailure(change, { delivery, now, content: verdict.reason });
    await tellOwner(change, {
      delivery,
      now,
      content: verdict.reason + quoted(verdict.excerpt ?? ''),
    });
  }
  if (verdict.kind === 'unavailable') {
    const isStatus = verdict.afterSeconds !== undefined;
    const here = isStatus ? verdict.reason : 'The bot is unavailable.';
    await admitFailure(change, { delivery, now, content: here });
    const content = `All attempts failed. ${verdict.reason}${quoted(verdict.excerpt ?? '')}`;
    await tellOwner(change, { delivery, now, content });
  }
  await markRead(change, delivery);
}

/** A message that the webhook was told of has been read by its bot. */
export const markRead = ({ db }: Change, { bot, message }: LoadedDelivery): Promise<void> =>
  addFlags(db, bot, message.id, flagBits.read);

interface Reply extends Ended {
  readonly verdict: Extract<Verdict, { kind: 'reply' }>;
}

async function reply(change: Change, { delivery, verdict, now }: Reply): Promise<void> {
  try {
    const { content, widget_content } = verdict;
    await replyAsBot(change, { delivery, now, content, widget_content });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const content = `The bot's reply was refused: ${error.message}`;
    await admitFailure(change, { delivery, now, content });
    await tellOwner(change, { delivery, now, content: content + quoted(verdict.excerpt) });
  }
}
