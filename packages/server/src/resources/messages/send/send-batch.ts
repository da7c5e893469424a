import { type MessageId } from '@bellhop/protocol';

import { ApiError } from '../../../engine/api-error.ts';
import type { Change } from '../../../engine/call.ts';
import type { BatchedWrite } from '../../../engine/write-batcher.ts';
import type { RenderedMessage, SendRequest } from '../../../model/messages/message.ts';
import * as queries from '../../../model/messages/queries.ts';
import { type Address, findDestinations } from '../../../model/messages/send/find-destinations.ts';
import { personalFlags, renderMessage } from '../../../model/messages/send/render-message.ts';
import { emitParticipants, type SightEvent } from '../../user-events/changing-sight.ts';
import { followSentTopics } from '../../user-topics/follow-topics.ts';
import { storeMessages } from './send-message.ts';
import { warnOwner } from './warn-owner.ts';

interface SentMessage {
  readonly id: MessageId;
  /** The policy that the topic got for its sender. */
  readonly automatic_new_visibility_policy?: 2 | 3;
}

/**
 * Sends messages of one realm in their order. Looks up all destinations together and stores all
 * messages in one statement. A rejected message has written nothing.
 */
export const sendBatch: BatchedWrite<
  SendRequest<Address>,
  SentMessage,
  'message' | 'attachment' | 'user_topic' | 'stream' | SightEvent
> = async (change, requests) => {
  const { db } = change;
  const [first] = requests;
  if (!first) return [];
  const { id } = first.realm;
  const [addressed, { ids, uses }] = await Promise.all([
    findDestinations(db, requests),
    queries.begin(db, id, requests.length),
  ]);
  const flags = await personalFlags(
    db,
    { id, uses },
    addressed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  );
  const personal = flags.values();
  const rendered = await Promise.allSettled(
    addressed.map(async (request, at) => {
      if (request.status === 'rejected') throw request.reason;
      return renderMessage(db, request.value, { id: ids[at], personal: personal.next().value });
    }),
  );
  const accepted = rendered.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  await emitNewConversations(change, accepted);
  await storeMessages(change, accepted, {
    uses,
    attachments: change,
    topics: change,
    channels: change,
  });
  const policies = await followSentTopics(change, accepted);
  for (const [at, request] of requests.entries()) await warnOwnerOf(change, request, rendered[at]);
  return rendered.map((one) => {
    if (one.status === 'rejected') return one;
    const { row } = one.value;
    const automatic_new_visibility_policy = policies.get(row.id);
    const value = {
      id: row.id,
      ...(automatic_new_visibility_policy && { automatic_new_visibility_policy }),
    };
    return { status: one.status, value };
  });
};

/** A guest sees a user from the first message of their conversation on, so this precedes the messages. */
async function emitNewConversations(
  change: Pick<Change<SightEvent>, 'db' | 'emit'>,
  messages: readonly RenderedMessage[],
): Promise<void> {
  const [first] = messages;
  if (!first || first.request.realm.guests_see_all_users) return;
  const created = messages.flatMap(({ request: { to }, row }) =>
    'channel' in to || to.recipient_id !== undefined
      ? []
      : [[row.recipient_id, to.participants.map(({ id }) => id)] as const],
  );
  await emitParticipants(change, first.request, new Map(created));
}

/** Warns the owner of a bot whose channel message reached nobody. A hidden channel counts as missing. */
async function warnOwnerOf(
  change: Change<'message'>,
  { realm, sender, now, to }: SendRequest<Address>,
  outcome: PromiseSettledResult<RenderedMessage> | undefined,
): Promise<void> {
  const problem = outcome && problemOf(outcome);
  if (sender.is_bot && 'channel' in to && problem)
    await warnOwner(change, { realm, bot: sender, channel: to.channel, problem, now });
}

function problemOf(outcome: PromiseSettledResult<RenderedMessage>) {
  if (outcome.status === 'fulfilled') {
    const { to } = outcome.value.request;
    return 'channel' in to && !to.channel.has_subscribers ? 'without subscribers' : undefined;
  }
  const { reason } = outcome as { reason: unknown };
  const isMissing = reason instanceof ApiError && reason.code === 'STREAM_DOES_NOT_EXIST';
  return isMissing ? 'missing' : undefined;
}
