import type { Account } from './account.ts';
import type { Channel } from './conversation.ts';

/** A topic whose messages the webhook of a bot gets without a mention. */
export interface BotTopic {
  readonly bot: Account;
  readonly channel: Channel;
  readonly topic: string;
  /** UNIX time in seconds. */
  readonly expires_at: number;
}
