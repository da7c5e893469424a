import type { BotType, Role, UserId } from '@bellhop/protocol';

/** A user or a bot of the fake server. */
export interface Account {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly api_key: string;
  readonly role: Role;
  /** UNIX time in seconds. */
  readonly date_joined: number;
  readonly bot: BotAccount | undefined;
  /** The entries of its bot storage. */
  readonly storage: Map<string, string>;
}

export interface BotAccount {
  readonly type: BotType;
  readonly owner: Account;
  readonly token: string;
  /** The address of its webhook; undefined for a bot without one. */
  payloadUrl: string | undefined;
  /** The form of its deliveries and answers: that of the protocol, or Slack's. */
  readonly interface: 'generic' | 'slack';
}
