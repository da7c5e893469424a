import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';

export interface Channel {
  readonly stream_id: ChannelId;
  readonly name: string;
  readonly invite_only: boolean;
  readonly subscribers: Set<UserId>;
}

/** The conversation of a message: a topic of a channel, or users with the sender, sorted by id. */
export type Place =
  | { readonly channel: Channel; readonly topic: string }
  | { readonly people: readonly Account[] };
