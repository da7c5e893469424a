import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';

export interface Channel {
  readonly stream_id: ChannelId;
  readonly name: string;
  readonly invite_only: boolean;
  readonly subscribers: Set<UserId>;
}

/** A topic of a channel, or the participants of a direct message, sorted by id. */
export type Conversation =
  | { readonly channel: Channel; readonly topic: string }
  | { readonly participants: readonly Account[] };
