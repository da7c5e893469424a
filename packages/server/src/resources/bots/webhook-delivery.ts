import { MessageId, RealmId } from '@bellhop/protocol';
import { z } from 'zod';

const Delivery = z.object({
  realm_id: RealmId,
  message_id: MessageId,
  service_id: z.int(),
  trigger: z.enum(['direct_message', 'mention']),
});
/** One message for one webhook of a bot. */
export type Delivery = z.output<typeof Delivery>;

/**
 * What is queued for a webhook. Apart from the job that does it: that sends messages, and could not
 * be imported where messages are sent. Grouped by webhook, so that none that hangs holds up others.
 */
export const webhookDelivery = {
  name: 'deliver_to_webhook',
  lane: 'webhooks',
  payload: Delivery,
  key: ({ service_id }: Delivery) => String(service_id),
};
