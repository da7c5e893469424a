import { MessageId, RealmId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

import type { Change } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { RenderedMessage } from '../messages/message.ts';
import * as queries from './queries.ts';

const Delivery = z.object({
  realm_id: RealmId,
  message_id: MessageId,
  service_id: z.int(),
  trigger: z.enum(['direct_message', 'mention']),
  /** The owner of the bot when the message was sent; null for a bot of the realm. */
  owner_id: UserId.nullable().default(null),
});
/** One message for one webhook of a bot. */
export type Delivery = z.output<typeof Delivery>;

/**
 * The job without its work: `deliver-to-webhook.ts` sends messages, so sending cannot import it.
 * Deliveries have the bot's owner and its webhook as key: an endpoint that hangs delays only its own
 * deliveries, and many that hang delay only the deliveries of their owner.
 */
export const webhookDelivery = {
  name: 'deliver_to_webhook',
  lane: 'webhooks',
  payload: Delivery,
  key: ({ owner_id, service_id }: Delivery) =>
    owner_id === null ? String(service_id) : `${owner_id}/${service_id}`,
};

/**
 * Adds the deliveries of messages to the webhooks they trigger, all with one statement. A direct
 * message triggers every outgoing webhook bot among its participants. A channel message triggers the
 * bots it mentions by name, subscribed or not, and the subscribed bots in the groups it mentions.
 * Wildcards trigger no bot, and neither does a message from a bot.
 */
export async function triggerWebhooks(
  { db, enqueueAll }: Pick<Change<'message'>, 'db' | 'enqueueAll'>,
  messages: readonly RenderedMessage[],
): Promise<void> {
  const triggered = messages.flatMap((message) => {
    const user_ids = triggeredBy(message);
    return user_ids.length === 0 ? [] : [{ message, user_ids }];
  });
  const [first] = triggered;
  if (!first) return;
  const realm_id = first.message.request.realm.id;
  const ids = new Set(triggered.flatMap(({ user_ids }) => user_ids));
  const webhooks = await queries.webhooksOf(db, realm_id, [...ids]);
  const deliveries = triggered.flatMap(({ message: { request, row }, user_ids }) => {
    const trigger = 'channel' in request.to ? ('mention' as const) : ('direct_message' as const);
    return webhooks
      .filter(({ user_id }) => user_ids.includes(user_id))
      .map(({ id, owner_id }) => ({
        realm_id,
        message_id: row.id,
        service_id: id,
        trigger,
        owner_id,
      }));
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
