import type { MessageId } from '@bellhop/protocol';

import type { BatchedWrite } from '../../../engine/write-batcher.ts';
import { requireCanPost } from '../../channels/access.ts';
import * as channels from '../../channels/postable-channel.ts';
import * as queries from '../queries.ts';
import { attaching } from './attaching.ts';
import { noSuchChannel } from './recipients.ts';
import { composeMessage, type Draft } from './render-message.ts';
import { sendComposed } from './send-message.ts';

/** A message to a topic of a channel that nobody has looked for yet. */
export interface Post extends Omit<Draft, 'to' | 'id'> {
  readonly place: channels.ChannelPlace;
  readonly topic: string;
}

/**
 * Sends channel messages of one realm, in this order: one query for all channels, one statement for
 * all messages. All that may refuse one is asked before the first is written.
 */
export const sendBatch: BatchedWrite<Post, MessageId, 'message' | 'attachment'> = async (
  change,
  posts,
) => {
  const [first] = posts;
  if (!first) return [];
  const { db } = change;
  const { realm } = first;
  // Two queries, one round trip.
  const [found, ids] = await Promise.all([
    channels.eachForPosting(db, realm.id, posts),
    queries.nextIds(db, posts.length),
  ]);
  const compose = async ({ place, topic, ...draft }: Post, at: number) => {
    const channel = found[at];
    const id = ids[at];
    if (!channel) throw noSuchChannel(place);
    requireCanPost(channel);
    return composeMessage(db, { ...draft, ...(id && { id }), to: { channel, topic } });
  };
  const composed = await Promise.allSettled(posts.map(compose));
  await sendComposed(
    change,
    { realm, attach: attaching(change) },
    composed.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
  );
  return composed.map((outcome) =>
    outcome.status === 'fulfilled'
      ? { status: outcome.status, value: outcome.value.message.id }
      : outcome,
  );
};
