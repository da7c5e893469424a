import { z } from 'zod';

import { IncludeSubscribers } from './channels/channels.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { InitialState } from './initial-state.ts';
import { Narrow } from './messages/narrow.ts';
import { resource } from './resource.ts';
import { serverVersion } from './server-settings.ts';

const capability = (description: string) => z.boolean().default(false).meta({ description });

/** What a client can handle (spec, Register an event queue); unknown keys are ignored. */
export const ClientCapabilities = z
  .object({
    notification_settings_null: capability('Channel notification settings may be null: inherit'),
    bulk_message_deletion: capability('One delete_message event may name many messages'),
    user_avatar_url_field_optional: capability('avatar_url may be left out of user records'),
    stream_typing_notifications: capability('Typing in channels is understood'),
    user_settings_object: capability('user_settings instead of the two legacy events'),
    linkifier_url_template: capability('Linkifiers have URL templates'),
    user_list_incomplete: capability('Users who cannot be seen may be missing'),
    include_deactivated_groups: capability('Deactivated user groups are shown'),
    archived_channels: capability('Archived channels are shown'),
    empty_topic_name: capability('The empty string is a topic'),
    simplified_presence_events: capability('presence events carry `presences`'),
  })
  .meta({ id: 'ClientCapabilities' });
export type ClientCapabilities = z.output<typeof ClientCapabilities>;

/** A queue dropped after this many seconds without a poll, unless a longer life was asked for. */
export const QUEUE_LIFESPAN = 600;
export const MAX_QUEUE_LIFESPAN = 604_800;

/** An event in a queue. Loose: a client must be able to read events newer than itself. */
export const AnyQueuedEvent = z.looseObject({ id: z.int(), type: z.string() });

/** Keeps a long poll from timing out; comes whatever types were asked for. */
export const HeartbeatEvent = z.object({ type: z.literal('heartbeat') });

const endpoints = {
  register: endpoint('POST /register', {
    summary: 'Register an event queue',
    description: 'Answers with the state of what was asked for; what follows arrives as events.',
    access: 'optional',
    steps: true,
    params: {
      apply_markdown: z.boolean().default(false),
      client_gravatar: z.boolean().optional(),
      include_subscribers: IncludeSubscribers,
      slim_presence: z.boolean().default(false),
      presence_history_limit_days: z.int().nonnegative().nullish(),
      event_types: z.array(z.string()).nullish(),
      all_public_streams: z.boolean().default(false),
      client_capabilities: ClientCapabilities.prefault({}),
      fetch_event_types: z.array(z.string()).nullish(),
      narrow: Narrow.nullable().default([]),
      queue_lifespan_secs: z.int().nonnegative().default(0),
    },
    result: {
      queue_id: z.string().nullable(),
      last_event_id: z.int(),
      ...serverVersion,
      ...InitialState.shape,
    },
  }),

  events: endpoint('GET /events', {
    summary: 'Wait for events',
    description:
      'Answers as soon as there is an event; acknowledges those up to last_event_id. A second poll of the same queue ends the first.',
    access: 'user',
    params: {
      queue_id: z.string().optional(),
      last_event_id: z.int().optional(),
      dont_block: z.boolean().default(false),
    },
    result: { events: z.array(AnyQueuedEvent), queue_id: z.string() },
    errors: ['BAD_EVENT_QUEUE_ID'],
  }),

  remove: endpoint('DELETE /events', {
    summary: 'Drop an event queue',
    access: 'user',
    params: { queue_id: z.string() },
    errors: ['BAD_EVENT_QUEUE_ID'],
  }),
};

export const queues = resource({
  endpoints,
  events: [event(HeartbeatEvent, 'changes no state')],
});
