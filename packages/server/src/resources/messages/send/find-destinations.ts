import type { Db } from '../../../engine/call.ts';
import type { ChannelAddress } from '../../channels/channel-address.ts';
import { postableChannels, requireCanPost } from '../../channels/postable-channel.ts';
import * as users from '../../users/queries.ts';
import type { SendRequest } from '../message.ts';
import { requireCanWriteTo } from './access.ts';
import { directConversations } from './direct-conversations.ts';
import { type ListedUsers, participantsOf } from './recipients.ts';

interface NamedTopic {
  readonly channel: ChannelAddress;
  readonly topic: string;
}
interface NamedPeople {
  readonly people: ListedUsers;
}
/** Where a message is to go, before anything is looked up. */
export type Address = NamedTopic | NamedPeople;
type Addressed = PromiseSettledResult<SendRequest>;

/**
 * Replaces the addresses of messages of one realm by their destinations; rejected with an ApiError if
 * the sender may not write there. One statement finds all channels, one all users listed by id, one
 * all direct conversations.
 */
export async function findDestinations(
  db: Db,
  requests: readonly SendRequest<Address>[],
): Promise<Addressed[]> {
  const toTopics = requests.filter(isToTopic);
  const toPeople = requests.filter(isToPeople);
  const [topics, conversations] = await Promise.all([
    findTopics(db, toTopics),
    findConversations(db, toPeople),
  ]);
  const [nextTopic, nextConversation] = [topics.values(), conversations.values()];
  return requests.map((request) => {
    const { value } = isToTopic(request) ? nextTopic.next() : nextConversation.next();
    if (!value) throw new Error('A message has no destination');
    return value;
  });
}

const isToTopic = (request: SendRequest<Address>): request is SendRequest<NamedTopic> =>
  'channel' in request.to;
const isToPeople = (request: SendRequest<Address>): request is SendRequest<NamedPeople> =>
  'people' in request.to;

async function findTopics(
  db: Db,
  requests: readonly SendRequest<NamedTopic>[],
): Promise<Addressed[]> {
  const [first] = requests;
  if (!first) return [];
  const lookups = requests.map(({ sender, to }) => ({ sender, place: to.channel }));
  const found = await postableChannels(db, first.realm.id, lookups);
  return Promise.allSettled(
    requests.map(async (request, at) => {
      const { sender, to } = request;
      const channel = await requireCanPost(db, { sender, place: to.channel }, found[at]);
      return { ...request, to: { channel, topic: to.topic } };
    }),
  );
}

async function findConversations(
  db: Db,
  requests: readonly SendRequest<NamedPeople>[],
): Promise<Addressed[]> {
  const [first] = requests;
  if (!first) return [];
  const ids = requests.flatMap(({ to }) => ('ids' in to.people ? to.people.ids : []));
  const listed = ids.length === 0 ? [] : await users.byIds(db, first.realm.id, ids);
  const known = new Map(listed.map((user) => [user.id, user]));
  const found = await Promise.allSettled(
    requests.map(async (request) => {
      const participants = await participantsOf(db, request, { listed: request.to.people, known });
      return { ...request, to: { participants } };
    }),
  );
  const accepted = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const conversations = (await directConversations(db, accepted)).values();
  return Promise.allSettled(
    found.map(async (one) => {
      if (one.status === 'rejected') throw one.reason;
      const request = one.value;
      const { value: conversation } = conversations.next();
      if (!conversation) throw new Error('A direct message has no conversation');
      const { participants } = request.to;
      requireCanWriteTo(request.sender, participants, conversation);
      const recipient_id = conversation.recipient_id ?? undefined;
      return { ...request, to: { participants, recipient_id } };
    }),
  );
}
