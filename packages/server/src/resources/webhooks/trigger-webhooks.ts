import type { Change, Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as topics from '../../model/bot-topics/queries.ts';
import * as queries from '../../model/bots/queries.ts';
import { type Delivery, webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import type { RenderedMessage } from '../../model/messages/message.ts';

/**
 * Adds the deliveries of messages to the webhooks they trigger, all with one statement. A direct
 * message triggers every outgoing webhook bot among its participants. A channel message triggers the
 * bots it mentions by name, subscribed or not, and the subscribed bots in the groups it mentions.
 * Other bots get it as a follow-up if they are subscribed to its topic; whether they may read it is
 * checked at the delivery. Wildcards trigger no bot, and neither does a message from a bot.
 */
export async function triggerWebhooks(
  { db, enqueueAll }: Pick<Change<'message'>, 'db' | 'enqueueAll'>,
  messages: readonly RenderedMessage[],
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const realm_id = first.request.realm.id;
  const followers = await followersOf(db, messages);
  const triggered = messages.map((message) => ({ message, user_ids: triggeredBy(message) }));
  const ids = new Set([
    ...triggered.flatMap(({ user_ids }) => user_ids),
    ...[...followers.values()].flat(),
  ]);
  if (ids.size === 0) return;
  const webhooks = await queries.webhooksOf(db, realm_id, [...ids]);
  const deliveries = triggered.flatMap(({ message, user_ids }) => {
    const { request, row } = message;
    const follows = followers.get(message) ?? [];
    const direct = 'channel' in request.to ? 'mention' : 'direct_message';
    return webhooks.flatMap<Delivery>(({ id, user_id, owner_id }) => {
      const about = { realm_id, message_id: row.id, service_id: id, owner_id };
      if (user_ids.includes(user_id)) return [{ ...about, trigger: direct }];
      return follows.includes(user_id) ? [{ ...about, trigger: 'follow_up' }] : [];
    });
  });
  await enqueueAll(webhookDelivery, deliveries);
}

const OUTGOING_WEBHOOK = 3;
const isOutgoing = ({ bot_type }: User) => bot_type === OUTGOING_WEBHOOK;

/** The users whose webhooks a message triggers if they have any. */
function triggeredBy({ request, content, recipients }: RenderedMessage): number[] {
  const { sender, to } = request;
  if (sender.is_bot) return [];
  if (!('channel' in to)) return to.participants.filter(isOutgoing).map(({ id }) => id);
  const received = new Set<number>(recipients);
  const byName = content.mentioned_users.filter(isOutgoing).map(({ id }) => id);
  return [...byName, ...content.group_member_ids.filter((id) => received.has(id))];
}

/** The bots that are subscribed to the topics of channel messages of people: one query for all. */
async function followersOf(
  db: Db,
  messages: readonly RenderedMessage[],
): Promise<ReadonlyMap<RenderedMessage, readonly number[]>> {
  const followers = new Map<RenderedMessage, number[]>();
  const asked = messages.flatMap((message) => {
    const { channel_id, topic } = message.row;
    const isAsked = channel_id !== null && !message.request.sender.is_bot;
    return isAsked ? [{ message, channel_id, topic }] : [];
  });
  const [first] = asked;
  if (!first) return followers;
  const { realm, now } = first.message.request;
  for (const { at, user_id } of await topics.subscribersOf(db, realm.id, asked, now)) {
    const message = asked[at]?.message;
    if (message) followers.set(message, [...(followers.get(message) ?? []), user_id]);
  }
  return followers;
}
