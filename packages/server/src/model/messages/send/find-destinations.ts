import { cutTopic } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { ChannelAddress } from '../../channels/channel-address.ts';
import { postableChannels, requireCanPost } from '../../channels/postable-channel.ts';
import type { Conversation, Direct, TopicIn } from '../../conversation.ts';
import * as users from '../../users/queries.ts';
import type { SendRequest } from '../message.ts';
import { isReceivedBy } from '../read/received.ts';
import { requireCanWriteTo } from './access.ts';
import { directConversations } from './direct-conversations.ts';
import { listedIds, type ListedUsers, participantsOf } from './recipients.ts';

/** The destination of a request, before it is looked up. The sender need not be listed. */
export type Address = Conversation<ChannelAddress, ListedUsers>;
type TopicRequest = SendRequest<TopicIn<ChannelAddress>>;
type DirectRequest = SendRequest<Direct<ListedUsers>>;
type Addressed = PromiseSettledResult<SendRequest>;

/**
 * Replaces the addresses of messages of one realm by their destinations; rejected with an ApiError if
 * the sender may not write there. One statement finds all channels, one all users of direct messages,
 * one all their conversations; before, one for each message that lists users by address.
 */
export async function findDestinations(
  db: Db,
  requests: readonly SendRequest<Address>[],
): Promise<Addressed[]> {
  const toTopics = requests.filter(isToTopic);
  const direct = requests.filter(isDirect);
  const [topics, conversations] = await Promise.all([
    findTopics(db, toTopics),
    findConversations(db, direct),
  ]);
  const [nextTopic, nextConversation] = [topics.values(), conversations.values()];
  return requests.map((request) => {
    const { value } = isToTopic(request) ? nextTopic.next() : nextConversation.next();
    if (!value) throw new Error('A message has no destination');
    return value;
  });
}

const isToTopic = (request: SendRequest<Address>): request is TopicRequest =>
  'channel' in request.to;
const isDirect = (request: SendRequest<Address>): request is DirectRequest => !isToTopic(request);

async function findTopics(db: Db, requests: readonly TopicRequest[]): Promise<Addressed[]> {
  const [first] = requests;
  if (!first) return [];
  const lookups = requests.map(({ sender, to }) => ({
    sender,
    place: to.channel,
    topic: cutTopic(to.topic),
  }));
  const found = await postableChannels(db, first.realm.id, lookups, isReceivedBy);
  return Promise.allSettled(
    requests.map(async (request, at) => {
      const { sender, to } = request;
      const channel = await requireCanPost(db, { sender, place: to.channel }, found[at]);
      return { ...request, to: { channel, topic: to.topic } };
    }),
  );
}

async function findConversations(db: Db, requests: readonly DirectRequest[]): Promise<Addressed[]> {
  const [first] = requests;
  if (!first) return [];
  const { realm } = first;
  const listed = await Promise.allSettled(
    requests.map(async (request) => {
      const { sender, to } = request;
      const ids = await listedIds(db, { realm, sender }, to.participants);
      const participant_ids = [...new Set([...ids, sender.id])].toSorted((a, b) => a - b);
      return { request, sender, ids, participant_ids };
    }),
  );
  const accepted = listed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [found, conversations] = await Promise.all([
    users.byIds(
      db,
      realm.id,
      accepted.flatMap(({ ids }) => ids),
    ),
    directConversations(db, realm, accepted),
  ]);
  const known = new Map(found.map((user) => [user.id, user]));
  const nextConversation = conversations.values();
  return Promise.allSettled(
    listed.map(async (one) => {
      if (one.status === 'rejected') throw one.reason;
      const { request, sender, ids } = one.value;
      const { value: conversation } = nextConversation.next();
      if (!conversation) throw new Error('A direct message has no conversation');
      const participants = await participantsOf(db, { realm, sender }, { ids, known });
      requireCanWriteTo(sender, participants, conversation);
      const recipient_id = conversation.recipient_id ?? undefined;
      return { ...request, to: { participants, recipient_id } };
    }),
  );
}
