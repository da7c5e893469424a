import { ApiError, type MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { BatchedWrite } from '../../../engine/write-batcher.ts';
import { warnOwner } from '../../bots/warn-owner.ts';
import type { ChannelAddress } from '../../channels/channel-address.ts';
import { postableChannels, requireCanPost } from '../../channels/postable-channel.ts';
import type { RenderedMessage, SendRequest } from '../message.ts';
import * as queries from '../queries.ts';
import { renderMessage } from './render-message.ts';
import { storeMessages } from './send-message.ts';

/** A topic of a channel that has not been looked up. */
interface NamedTopic {
  readonly channel: ChannelAddress;
  readonly topic: string;
}

/**
 * Sends channel messages of one realm in their order. Looks up all channels in one query and stores
 * all messages in one statement. Rejects a message before any message of the batch is written.
 */
export const sendBatch: BatchedWrite<
  SendRequest<NamedTopic>,
  MessageId,
  'message' | 'attachment'
> = async (change, requests) => {
  const [first] = requests;
  if (!first) return [];
  const { db } = change;
  const lookups = requests.map(({ sender, to }) => ({ sender, place: to.channel }));
  // Two queries, one round trip.
  const [found, ids] = await Promise.all([
    postableChannels(db, first.realm.id, lookups),
    queries.nextIds(db, requests.length),
  ]);
  const rendered = await Promise.allSettled(
    requests.map(async (request, at) => {
      const { sender, to: named } = request;
      const channel = await requireCanPost(db, { sender, place: named.channel }, found[at]);
      const to = { channel, topic: named.topic };
      return renderMessage(db, { ...request, to }, ids[at]);
    }),
  );
  const accepted = rendered.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  await storeMessages(change, accepted, { attachments: change });
  for (const [at, request] of requests.entries()) await warnOwnerOf(change, request, rendered[at]);
  return rendered.map((one) =>
    one.status === 'fulfilled' ? { status: one.status, value: one.value.row.id } : one,
  );
};

/** Warns the owner of a bot whose message reached nobody. A hidden channel counts as missing. */
async function warnOwnerOf(
  change: Change<'message'>,
  { realm, sender, now, to }: SendRequest<NamedTopic>,
  outcome: PromiseSettledResult<RenderedMessage> | undefined,
): Promise<void> {
  const problem = outcome && problemOf(outcome);
  if (sender.is_bot && problem)
    await warnOwner(change, { realm, bot: sender, channel: to.channel, problem, now });
}

function problemOf(outcome: PromiseSettledResult<RenderedMessage>) {
  if (outcome.status === 'fulfilled')
    return outcome.value.recipients.length === 0 ? 'without subscribers' : undefined;
  const { reason } = outcome as { reason: unknown };
  const isMissing = reason instanceof ApiError && reason.code === 'STREAM_DOES_NOT_EXIST';
  return isMissing ? 'missing' : undefined;
}
