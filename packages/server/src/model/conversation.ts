import type { ChannelId } from '@bellhop/protocol';

/** A topic of a channel, as rows name it. */
export interface Topic {
  readonly channel_id: ChannelId;
  readonly topic: string;
}

/** A topic of a channel, with what is known of the channel. */
export interface TopicIn<Channel> {
  readonly channel: Channel;
  readonly topic: string;
}

/** A direct conversation, with what is known of its participants. */
export interface Direct<Participants> {
  readonly participants: Participants;
}

/**
 * Where a message goes, and where its answers go. A request names channel and participants by address
 * or ID; later steps have found them.
 */
export type Conversation<Channel, Participants> = TopicIn<Channel> | Direct<Participants>;
