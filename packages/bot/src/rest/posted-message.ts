import type { AskOptions } from '@bellhop/client';
import type { MessageId } from '@bellhop/protocol';

/** A message that the bot has sent. */
export interface PostedMessage {
  readonly id: MessageId;
  readonly edit: (content: string, options?: AskOptions) => Promise<void>;
  readonly remove: () => Promise<void>;
  readonly react: (emojiName: string) => Promise<void>;
}
