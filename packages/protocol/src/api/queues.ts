import { z } from 'zod';

import { IncludeSubscribers } from '../chat/channels/subscription-endpoints.ts';
import { Narrow } from '../chat/messages/narrow.ts';
import { serverVersion } from '../chat/server-settings.ts';
import { Queue } from '../values/fields.ts';
import { QueueId } from '../values/ids.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource } from '../wire/resource.ts';
import { InitialState } from './initial-state.ts';

const capability = (description: string) => z.boolean().default(false).meta({ description });

/** The capabilities of a client (spec, Register an event queue). Unknown keys are ignored. */
export const ClientCapabilities = z
  .object({
    notification_settings_null: capability(
      'Reads null in notification settings of channels as: inherited',
    ),
    bulk_message_deletion: capability('Accepts delete_message events with several messages'),
    user_avatar_url_field_optional: capability(
      'Accepts user records without avatar_url: those of people who were not connected for four weeks',
    ),
    stream_typing_notifications: capability('Accepts typing events of channels'),
    user_settings_object: capability('Reads user_settings instead of the two legacy event types'),
    linkifier_url_template: capability('Accepts linkifiers with URL templates'),
    user_list_incomplete: capability(
      'Accepts lists of users without those that the user cannot see',
    ),
    include_deactivated_groups: capability('Gets deactivated user groups as well'),
    archived_channels: capability('Gets archived channels as well'),
    empty_topic_name: capability('Accepts the empty string as a topic'),
    simplified_presence_events: capability('Reads `presences` in presence events'),
    push_device_error_message: capability(
      'Reads `error_message` beside the `error_code` of a failed device, in push_device events and in `push_devices`',
    ),
    console_events: capability(
      'Gets the events of a console for developers: bot_delivery, bot_endpoint, push_trace, replay',
    ),
  })
  .meta({ id: 'ClientCapabilities' });
export type ClientCapabilities = z.output<typeof ClientCapabilities>;

/** Seconds without a poll after which a queue is deleted, unless the client requested more. */
const QUEUE_LIFESPAN = 600;
/** That of a client whose system suspends it: a phone. */
const MOBILE_QUEUE_LIFESPAN = 43_200;
const MAX_QUEUE_LIFESPAN = 604_800;

/** The seconds without a poll after which a queue is deleted: as requested, up to seven days. */
export function queueLifespan(requested: number | 'mobile' | null): number {
  if (requested === 'mobile') return MOBILE_QUEUE_LIFESPAN;
  return Math.min(requested || QUEUE_LIFESPAN, MAX_QUEUE_LIFESPAN);
}
/** A user who registers one more loses the queue that was not polled for the longest time. */
export const MAX_QUEUES_PER_USER = 100;
/**
 * A queue that lags behind by this many events of its realm is deleted, so that it does not keep
 * the log from being swept.
 */
export const MAX_QUEUE_LAG = 500_000;

/** Characters of the narrow of a queue at most, as JSON: a node keeps it as long as a poll waits. */
export const MAX_QUEUE_NARROW_LENGTH = 10_000;

/** An event in a queue. Loose, so that clients can read event types that they do not know. */
export const AnyQueuedEvent = z.looseObject({ id: z.int(), type: z.string() });

/** Ends a long poll in which no event happened. Sent whatever event types were requested. */
export const HeartbeatEvent = z.object({ type: z.literal('heartbeat') });

const MAX_EVENT_TYPES = 1000;
const EventTypes = z.array(z.string().max(MAX_WORD_LENGTH)).max(MAX_EVENT_TYPES).nullish();

const ownQueue: Permission = {
  to: 'use the queue',
  grants: ['own'],
  refusal: 'BAD_EVENT_QUEUE_ID',
};

const endpoints = {
  register: endpoint('POST /register', {
    summary: 'Register an event queue',
    description: `Returns the requested state. Later changes of it arrive as events in the queue. A queue that was not polled for its lifespan, or that is ${MAX_QUEUE_LAG.toLocaleString('en')} events of the organization behind, is deleted: the next poll gets BAD_EVENT_QUEUE_ID. A user has at most ${MAX_QUEUES_PER_USER} queues: another one deletes the one that was not polled for the longest time. A new role, address or API key of a user deletes all of their queues, and a new can_access_all_users_group the queues of the guests.`,
    access: 'optional',
    paramsSince: { presence_history_limit_days: 288, idle_queue_timeout: 481 },
    steps: true,
    params: {
      apply_markdown: z.boolean().default(false),
      client_gravatar: z.boolean().optional(),
      include_subscribers: IncludeSubscribers,
      slim_presence: z.boolean().default(false),
      presence_history_limit_days: z.int().nonnegative().nullish(),
      event_types: EventTypes,
      all_public_streams: z.boolean().optional().meta({
        description: 'Default: default_all_public_streams of a bot, false for people',
      }),
      client_capabilities: ClientCapabilities.nullable()
        .prefault({})
        .transform((given) => given ?? ClientCapabilities.parse({})),
      fetch_event_types: EventTypes,
      narrow: Narrow.nullable().default([]).meta({
        description:
          'Without terms, a bot gets the narrow to its default_events_register_stream if it has one and may see it',
      }),
      idle_queue_timeout: z
        .union([z.int().nonnegative(), z.literal('mobile')])
        .nullable()
        .default(null)
        .meta({
          description: `Seconds without a poll after which the queue is deleted; without one ${QUEUE_LIFESPAN}. "mobile" is ${MOBILE_QUEUE_LIFESPAN}. At most ${MAX_QUEUE_LIFESPAN}: idle_queue_timeout_secs of the response says what applies. Older name: queue_lifespan_secs`,
        }),
    },
    aliases: { queue_lifespan_secs: 'idle_queue_timeout' },
    result: {
      queue_id: Queue.nullable(),
      idle_queue_timeout_secs: z.int().nullish().meta({
        description: 'Null without a queue. Servers before feature level 481 do not send it',
      }),
      last_event_id: z.int(),
      ...serverVersion,
      ...InitialState.shape,
    },
  }),

  events: endpoint('GET /events', {
    summary: 'Wait for events',
    description:
      'Returns as soon as there is an event. Acknowledges the events up to last_event_id. A second poll of the same queue ends the first.',
    access: 'user',
    permissions: [ownQueue],
    params: {
      queue_id: QueueId.optional(),
      last_event_id: z.int().optional(),
      dont_block: z.boolean().default(false),
    },
    result: { events: z.array(AnyQueuedEvent), queue_id: Queue },
    errors: ['BAD_EVENT_QUEUE_ID'],
  }),

  remove: endpoint('DELETE /events', {
    summary: 'Delete an event queue',
    access: 'user',
    permissions: [ownQueue],
    params: { queue_id: QueueId },
    errors: ['BAD_EVENT_QUEUE_ID'],
  }),
};

export const queues = resource({
  endpoints,
  events: [event(HeartbeatEvent, 'changes no state')],
});
