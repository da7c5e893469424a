import { calledBots } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as topics from '../../model/bot-topics/queries.ts';
import * as queries from '../../model/bots/queries.ts';
import { type Delivery, webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import type { RenderedMessage } from '../../model/messages/message.ts';
import type { RealmUses } from '../../model/messages/queries.ts';

/**
 * Adds the deliveries of messages to the webhooks of the bots that they call, all with one statement.
 * Whether a bot may read a message that is not addressed to it is checked at the delivery.
 */
export async function triggerWebhooks(
  { db, enqueueAll }: Pick<Change<'message'>, 'db' | 'enqueueAll'>,
  messages: readonly RenderedMessage[],
  { bot_topics }: Pick<RealmUses, 'bot_topics'>,
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const realm_id = first.request.realm.id;
  const followers = bot_topics ? await followersOf(db, messages) : undefined;
  const calls = messages.map((message) => ({
    message_id: message.row.id,
    triggers: calledBots({ ...mentionedIn(message), followers: followers?.get(message) ?? [] }),
  }));
  const ids = new Set(calls.flatMap(({ triggers }) => [...triggers.keys()]));
  if (ids.size === 0) return;
  const webhooks = await queries.webhooksOf(db, realm_id, [...ids]);
  const deliveries = calls.flatMap(({ message_id, triggers }) =>
    webhooks.flatMap<Delivery>(({ id: service_id, user_id, owner_id }) => {
      const trigger = triggers.get(user_id);
      return trigger ? [{ realm_id, message_id, service_id, owner_id, trigger }] : [];
    }),
  );
  await enqueueAll(webhookDelivery, deliveries);
}

const OUTGOING_WEBHOOK = 3;
const isOutgoing = ({ bot_type }: User) => bot_type === OUTGOING_WEBHOOK;

/** Whom a message addresses, if they are bots. */
function mentionedIn({ request, content, recipients }: RenderedMessage) {
  const { sender, to } = request;
  const isFromBot = sender.is_bot;
  const idsOf = (users: readonly User[]): number[] => users.filter(isOutgoing).map(({ id }) => id);
  if (!('channel' in to)) return { isFromBot, participants: idsOf(to.participants), mentioned: [] };
  const received: ReadonlyMap<number, number> = recipients.flags;
  const ofGroups = content.group_member_ids.filter((id) => received.has(id));
  const mentioned = [...idsOf(content.mentioned_users), ...ofGroups];
  return { isFromBot, participants: undefined, mentioned };
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
