import { z } from 'zod';

import { Secret } from '../../values/fields.ts';
import { MessageId, UserId } from '../../values/ids.ts';
import { MAX_NAME_LENGTH, MAX_WORD_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import type { Permission } from '../../wire/permission.ts';
import { resource } from '../../wire/resource.ts';
import {
  BotDeliveryEvent,
  BotEndpointEvent,
  mergeBotDelivery,
  ReplayEvent,
} from './bot-delivery-events.ts';
import { BotDelivery, BotDeliveryDetails, DeliveryId, DeliveryStatus } from './bot-delivery.ts';
import { EndpointStep, WebhookEndpoint } from './webhook-endpoint.ts';

/** The most deliveries of one page. */
const MAX_PAGE = 200;
/** The most deliveries that one request replays. */
const MAX_REPLAYS = 1000;
/** The longest payload that a client may send in place of the stored one. */
const MAX_PAYLOAD_LENGTH = 200_000;

const see: Permission = { to: 'see the deliveries of the bot', grants: ['admin', 'own'] };
const call: Permission = { to: 'call the webhook of the bot', grants: ['own'] };

/** UNIX time in milliseconds, as an ID of version 7 has it. */
const time = z
  .int()
  .min(0)
  .max(2 ** 48 - 1)
  .optional();

const filter = {
  message_id: MessageId.optional().meta({
    description: 'Only deliveries of this message, or that have it as reply',
  }),
  status: DeliveryStatus.optional(),
  trigger: z.string().max(MAX_WORD_LENGTH).optional(),
  http_status: z.int().min(0).max(999).optional(),
  after_ms: time.meta({ description: 'Only deliveries that began then or later' }),
  before_ms: time.meta({ description: 'Only deliveries that began earlier' }),
  search: z.string().max(MAX_NAME_LENGTH).optional().meta({
    description:
      'A part of the verdict, the message, the payload or the answer; of deliveries that are not yours of the verdict',
  }),
};
const payload = z.string().max(MAX_PAYLOAD_LENGTH).optional().meta({
  description:
    'The text to send, in the form of the interface of the bot. `[redacted]` as the token becomes the token',
});
const send_reply = z.boolean().default(false).meta({
  description: 'Whether the reply is sent to the conversation of the message',
});

const endpoints = {
  list: endpoint('GET /bots/{bot_id}/deliveries', {
    summary: 'Get the deliveries to an outgoing webhook bot, newest first',
    description:
      'An extension of the protocol. The owner of the bot sees everything of the deliveries that were made while they owned it. Administrators, and of earlier deliveries a new owner, do not see what was sent and answered. Deliveries are kept for 14 days, and the newest 1,000 of a bot, or as the operator sets.',
    access: 'member',
    permissions: [see],
    params: {
      bot_id: UserId,
      ...filter,
      cursor: DeliveryId.optional().meta({ description: 'The `next_cursor` of the page before' }),
      limit: z.int().min(1).max(MAX_PAGE).default(50),
    },
    result: { deliveries: z.array(BotDelivery), next_cursor: DeliveryId.nullable() },
  }),

  get: endpoint('GET /bots/{bot_id}/deliveries/{delivery_id}', {
    summary: 'Get one delivery to an outgoing webhook bot with all its attempts',
    description: 'An extension of the protocol.',
    access: 'member',
    permissions: [see],
    params: { bot_id: UserId, delivery_id: DeliveryId },
    result: { delivery: BotDeliveryDetails },
    errors: ['NOT_FOUND'],
  }),

  replay: endpoint('POST /bots/{bot_id}/deliveries/{delivery_id}/replay', {
    summary: 'Send a delivery again, once',
    description:
      'An extension of the protocol. The stored text, or the given one, of a delivery that was made while you owned the bot is sent as a new delivery with a new signature. It does not count for disabling the webhook, and is not retried.',
    access: 'member',
    permissions: [call],
    params: { bot_id: UserId, delivery_id: DeliveryId, payload, send_reply },
    result: { delivery_id: DeliveryId },
    errors: ['NOT_FOUND'],
    emits: [BotDeliveryEvent],
  }),

  replayMany: endpoint('POST /bots/{bot_id}/deliveries/replay', {
    summary: 'Send all deliveries that match again, once each',
    description: `An extension of the protocol. The newest ${MAX_REPLAYS} of yours at most, as if each were replayed alone.`,
    access: 'member',
    permissions: [call],
    params: {
      bot_id: UserId,
      ...filter,
      limit: z.int().min(1).max(MAX_REPLAYS).default(MAX_REPLAYS),
      send_reply,
      dry_run: z.boolean().default(false).meta({ description: 'Only count them' }),
    },
    result: { count: z.int(), replay_id: z.uuid().nullable() },
    emits: [ReplayEvent],
  }),

  stopReplay: endpoint('DELETE /bots/{bot_id}/replays/{replay_id}', {
    summary: 'Stop a replay of many deliveries',
    description:
      'An extension of the protocol. Those whose attempt has not begun are dropped. Succeeds with a count of 0 if none are left.',
    access: 'member',
    permissions: [call],
    params: { bot_id: UserId, replay_id: z.uuid() },
    result: { count: z.int().meta({ description: 'How many were dropped' }) },
    emits: [BotDeliveryEvent],
  }),

  test: endpoint('POST /bots/{bot_id}/deliveries/test', {
    summary: 'Send a test to the webhook of a bot',
    description:
      'An extension of the protocol. A direct message from you that nobody sees, or the given payload. The reply is not sent.',
    access: 'member',
    permissions: [call],
    params: { bot_id: UserId, payload },
    result: { delivery_id: DeliveryId },
    emits: [BotDeliveryEvent],
  }),

  endpoint: endpoint('GET /bots/{bot_id}/endpoint', {
    summary: 'Get the state of the endpoint of an outgoing webhook bot',
    description: 'An extension of the protocol.',
    access: 'member',
    permissions: [call],
    params: { bot_id: UserId },
    result: { endpoint: WebhookEndpoint },
  }),

  check: endpoint('POST /bots/{bot_id}/endpoint/check', {
    summary: 'Check step by step whether the server reaches the endpoint of a bot',
    description:
      'An extension of the protocol. The last step is a GET: any answer of HTTP is good. Nothing is stored.',
    access: 'member',
    permissions: [call],
    steps: true,
    params: { bot_id: UserId },
    result: { steps: z.array(EndpointStep) },
  }),

  verify: endpoint('POST /bots/me/endpoint/verify', {
    summary: 'Ask as an outgoing webhook bot whether its token is right',
    description:
      'An extension of the protocol, for a bot that starts: deliveries with another token than its own it would refuse.',
    access: 'bot',
    params: { token: Secret.max(MAX_NAME_LENGTH) },
    result: {
      token: z.enum(['current', 'old', 'wrong']).meta({
        description: 'old: deliveries have it until `keep_old_seconds` have passed',
      }),
      endpoint: WebhookEndpoint.pick({ payload_url: true, state: true, reason: true }),
    },
  }),
};

export const botDeliveries = resource({
  endpoints,
  events: [
    event(BotDeliveryEvent, 'changes no state', mergeBotDelivery),
    event(BotEndpointEvent, 'changes no state'),
    event(ReplayEvent, 'changes no state'),
  ],
});
