import type { BotType, MessageChangeKind, Role, UserId } from '@bellhop/protocol';

/** A user of the fake server, human or bot. */
export interface Account {
  readonly user_id: UserId;
  readonly email: string;
  full_name: string;
  readonly api_key: string;
  readonly role: Role;
  /** UNIX time in seconds. */
  readonly date_joined: number;
  readonly bot: BotAccount | undefined;
  /** The changes of messages that the webhook of the bot gets. */
  readonly changes: Set<MessageChangeKind>;
  /** The entries of the bot storage. */
  readonly storage: Map<string, string>;
}

export interface BotAccount {
  readonly type: BotType;
  readonly owner: Account;
  readonly token: string;
  /** The URL of the webhook; undefined for a bot without one. */
  payloadUrl: string | undefined;
  /** The form of deliveries and answers: generic, or Slack-compatible. */
  readonly interface: 'generic' | 'slack';
}
