import type { ChannelMessage, DirectMessage } from '@bellhop/bot';
import type { Delivery } from '@bellhop/bot/internals';
import { messageOf } from '@bellhop/bot/internals';
import type { FetchedMessage } from '@bellhop/protocol';

/** A message as the server has it: in a channel, or direct. `message.raw` of a Chat SDK message. */
export type BellhopRawMessage = (ChannelMessage | DirectMessage) & {
  /** Whether it mentions the bot; undefined if that is not known. */
  readonly isMention?: boolean;
  /** Seconds since 1970; undefined if it was not edited. */
  readonly editedAt?: number;
  /** Whether the sender is a bot; undefined if that is not known. */
  readonly isBot?: boolean;
};

/** The message of a delivery. Those of other bots are not delivered. */
export function rawOfDelivery({ trigger, message, change }: Delivery): BellhopRawMessage {
  if (trigger === 'edit')
    return { ...message, isBot: false, editedAt: Math.floor(Date.now() / 1000) };
  // A reaction may be to the message of anybody.
  if (change !== undefined) return message;
  if (trigger === 'direct_message') return { ...message, isBot: false };
  return { ...message, isBot: false, isMention: trigger === 'mention' };
}

/** A message that was fetched with its Markdown. */
export function rawOfFetched(message: FetchedMessage): BellhopRawMessage | undefined {
  const raw = messageOf(message, '');
  if (raw === undefined) return undefined;
  const { last_edit_timestamp: editedAt, flags } = message;
  return {
    ...raw,
    ...('channel' in raw && flags ? { isMention: flags.includes('mentioned') } : {}),
    ...(editedAt === undefined ? {} : { editedAt }),
  };
}
