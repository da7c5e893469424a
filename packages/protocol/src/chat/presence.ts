import { z } from 'zod';

import { Email, Timestamp } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_EMAIL_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

/** Days for which presence is returned, if the client names none. */
export const PRESENCE_HISTORY_DAYS = 14;
/** Clients send their presence this often. */
export const PRESENCE_PING_SECONDS = 60;
/** After this time without a ping a user counts as offline. */
export const PRESENCE_OFFLINE_SECONDS = 200;
const MAX_HISTORY_DAYS = 36_500;

/** The number of days back that presence is returned. */
export const HistoryDays = z.int().min(0).max(MAX_HISTORY_DAYS).nullish();

const status = z.enum(['active', 'idle']);
const timestamp = Timestamp.meta({ description: 'UNIX time in seconds' });
const LegacyStatus = z.object({ client: z.string(), status, timestamp, pushable: z.boolean() });
const LegacyPresence = z.object({
  aggregated: LegacyStatus.omit({ pushable: true }),
  website: LegacyStatus,
});
export type LegacyPresence = z.output<typeof LegacyPresence>;
const ModernPresence = z.object({ active_timestamp: timestamp, idle_timestamp: timestamp });
/** By user ID in the modern format, by e-mail address in the older one. */
const Presences = z.record(z.string(), z.union([ModernPresence, LegacyPresence]));

/** When a user was last active, and when a client of theirs was last connected. */
export interface PresenceTimes {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

/** A client may lag this far behind and still count as active in the older format. */
const LEGACY_LAG_SECONDS = 70;

/** A presence in the older format. */
export function legacyPresence({
  active_timestamp,
  idle_timestamp,
}: PresenceTimes): LegacyPresence {
  const isActive = active_timestamp + LEGACY_LAG_SECONDS >= idle_timestamp;
  const shown = {
    client: 'website',
    status: isActive ? ('active' as const) : ('idle' as const),
    timestamp: isActive ? active_timestamp : idle_timestamp,
  };
  return { aggregated: shown, website: { ...shown, pushable: false } };
}

/**
 * A user came online or became active. `presences` with the capability `simplified_presence_events`;
 * the other fields without it, `email` only without `slim_presence`.
 */
export const PresenceEvent = z.object({
  type: z.literal('presence'),
  presences: z.record(z.string(), ModernPresence).optional(),
  user_id: UserId.optional(),
  email: Email.optional(),
  server_timestamp: z.number().meta({ example: 1_767_225_600 }).optional(),
  presence: z.object({ website: LegacyStatus }).optional(),
});

const state = {
  presence: section({
    presences: Presences,
    presence_last_update_id: z.int(),
    server_timestamp: z.number().meta({ example: 1_767_225_600 }),
  }),
};

export type PresenceState = StateOf<typeof state>;

const applyPresence = (
  known: PresenceState,
  { presences, user_id, email, presence }: z.output<typeof PresenceEvent>,
): PresenceState =>
  changed(known, 'presences', (all) => {
    if (presences) return { ...all, ...presences };
    if (!presence) return all;
    const { website } = presence;
    if (email !== undefined) {
      const { pushable: _pushable, ...aggregated } = website;
      return { ...all, [email]: { aggregated, website } };
    }
    const old = all[String(user_id)];
    const before = old && 'active_timestamp' in old ? old.active_timestamp : website.timestamp;
    const active_timestamp = website.status === 'active' ? website.timestamp : before;
    return { ...all, [String(user_id)]: { active_timestamp, idle_timestamp: website.timestamp } };
  });

const ShownStatus = z.object({ status, timestamp });

export const presence = resource({
  endpoints: {
    update: endpoint('POST /users/me/presence', {
      summary: 'Say that you are active or idle, and get the presence of others',
      access: 'human',
      params: {
        status,
        new_user_input: z.boolean().default(false),
        ping_only: z.boolean().default(false).meta({ description: 'Return no presence of others' }),
        slim_presence: z.boolean().default(false),
        last_update_id: z.int().min(-1).optional().meta({
          description:
            'Return only what changed since the answer with this `presence_last_update_id`, in the modern format; -1 for all',
        }),
        history_limit_days: HistoryDays,
      },
      result: {
        presences: Presences.optional(),
        presence_last_update_id: z.int().optional(),
        server_timestamp: z.number().meta({ example: 1_767_225_600 }).optional(),
      },
      emits: [PresenceEvent],
    }),

    get: endpoint('GET /users/{user_id}/presence', {
      summary: 'Get the presence of a user',
      access: 'user',
      params: {
        user_id: z.union([UserId, z.string().max(MAX_EMAIL_LENGTH)]).meta({
          description: 'The ID or the e-mail address',
        }),
      },
      result: { presence: z.object({ aggregated: ShownStatus, website: ShownStatus }) },
    }),

    list: endpoint('GET /realm/presence', {
      summary: 'Get the presence of all users',
      access: 'user',
      result: {
        presences: z.record(z.string(), LegacyPresence),
        server_timestamp: z.number().meta({ example: 1_767_225_600 }),
      },
    }),
  },
  events: [event(PresenceEvent, applyPresence)],
  state,
});
