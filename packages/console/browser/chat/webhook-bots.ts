import { type Bot, type FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';

const OUTGOING_WEBHOOK = 3;
const MAX_ASKED = 25;

/**
 * The bots of the user that have a delivery of a message: the bot that replied with it, else those that it
 * may have been sent to, of a direct message the participants.
 */
export function webhookBots(
  { state, user_id }: Pick<LiveAccount, 'state' | 'user_id'>,
  { sender_id, display_recipient: to }: FetchedMessage,
): readonly Bot[] {
  const mayGet = ({ user_id: id }: Bot) =>
    typeof to === 'string' || to.some((one) => one.id === id);
  const own = (state.peek()?.realm_bots ?? []).filter(
    (bot) => bot.owner_id === user_id && bot.bot_type === OUTGOING_WEBHOOK,
  );
  const sender = own.find((bot) => bot.user_id === sender_id);
  return sender ? [sender] : own.filter(mayGet).slice(0, MAX_ASKED);
}
