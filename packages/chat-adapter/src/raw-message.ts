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
};

/** The message of a delivery. */
export function rawOfDelivery({ trigger, message }: Delivery): BellhopRawMessage {
  if (trigger === 'mention') return { ...message, isMention: true };
  if (trigger === 'follow_up') return { ...message, isMention: false };
  return trigger === 'edit' ? { ...message, editedAt: Math.floor(Date.now() / 1000) } : message;
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
