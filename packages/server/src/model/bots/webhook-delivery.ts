import { MessageChangeKind, MessageId, RealmId, UserId, WebhookChange } from '@bellhop/protocol';
import { z } from 'zod';

import type { MessageRow } from '../messages/message.ts';

const Delivery = z.object({
  realm_id: RealmId,
  message_id: MessageId,
  service_id: z.int(),
  trigger: z.enum(['direct_message', 'mention', 'follow_up', ...MessageChangeKind.options]),
  /** The change of the message, for the last three triggers. */
  change: WebhookChange.optional(),
  /** The row of a deleted message, without its content. */
  deleted: z.custom<MessageRow>().optional(),
  /** The owner of the bot when the message was sent; null for a bot of the realm. */
  owner_id: UserId.nullable().default(null),
});
/** One message for one webhook of a bot. */
export type Delivery = z.output<typeof Delivery>;

/**
 * Deliveries have the bot's owner and its webhook as key: an endpoint that hangs delays only its own
 * deliveries, and many that hang delay only the deliveries of their owner.
 */
export const webhookKey = ({
  owner_id,
  service_id,
}: Pick<Delivery, 'owner_id' | 'service_id'>): string =>
  owner_id === null ? String(service_id) : `${owner_id}/${service_id}`;

/** The job without its work: `deliver-to-webhook.ts` sends messages, so sending cannot import it. */
export const webhookDelivery = {
  name: 'deliver_to_webhook',
  lane: 'webhooks',
  payload: Delivery,
  key: (delivery: Delivery) => webhookKey(delivery),
};
