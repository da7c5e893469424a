import { z } from 'zod';

import { UserId } from '../../values/ids.ts';
import type { Merge } from '../../wire/event.ts';
import { BotDelivery } from './bot-delivery.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

/**
 * A delivery began, or an attempt of it ended. Only for queues with the capability `console_events`
 * of the owner of the bot and of administrators. An update has the whole delivery: a client that does
 * not know it adds it.
 */
export const BotDeliveryEvent = z.object({
  type: z.literal('bot_delivery'),
  op: z.enum(['add', 'update']),
  delivery: BotDelivery,
});

/** Two events of one delivery become one. */
export const mergeBotDelivery: Merge<z.output<typeof BotDeliveryEvent>> = (earlier, later) =>
  earlier.delivery.id === later.delivery.id ? { ...later, op: earlier.op } : undefined;

/** The endpoint of a bot was disabled, or works again. Only with the capability `console_events`. */
export const BotEndpointEvent = z.object({
  type: z.literal('bot_endpoint'),
  bot_id: UserId,
  endpoint: WebhookEndpoint.pick({ payload_url: true, state: true, reason: true }),
});

/**
 * Deliveries are replayed. Each of them is a `bot_delivery` with this `replay_id`. Only with the
 * capability `console_events`.
 */
export const ReplayEvent = z.object({
  type: z.literal('replay'),
  bot_id: UserId,
  replay_id: z.uuid(),
  count: z.int(),
});
