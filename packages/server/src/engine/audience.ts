import { type ChannelId, type Role, roles, type UserId } from '@bellhop/protocol';

import { isForSubscriber, type StoredEvent } from './stored-event.ts';

/** The entry of an audience that means every queue registered with `all_public_streams`. */
export const EVERYONE_LISTENING = 0;

/**
 * The entry of an audience that means every active user with a role. It is negative, as no ID of a user
 * is. A queue ends when its user is deactivated or gets another role, so it cannot get an event that was
 * not for its user.
 */
export const everyoneWithRole = (role: Role): number => -role;

/** The audience of an event for every active user. */
export const EVERYBODY: readonly number[] = Object.values(roles).map(everyoneWithRole);
/** The audience of an event for every active user but guests. */
export const MEMBERS: readonly number[] = EVERYBODY.filter(
  (id) => id !== everyoneWithRole(roles.guest),
);

/** Lower than every entry that means a role: the entries that mean channels are below it. */
export const BELOW_ROLES = -1_000_000;

/**
 * The entry of an audience that means every subscriber of a channel as of the place of the event in the
 * log. In an audience it comes before the entries that mean people or roles.
 */
export const everyoneInChannel = (channel: ChannelId): number => BELOW_ROLES - channel;

/** The channels that an audience names. */
export function channelsIn(audience: readonly number[]): ChannelId[] {
  const others = audience.findIndex((entry) => entry >= BELOW_ROLES);
  const entries = others < 0 ? audience : audience.slice(0, others);
  return entries.map((entry) => (BELOW_ROLES - entry) as ChannelId);
}

/** What decides whether a queue is in an audience. */
export interface Listener {
  readonly user_id: UserId;
  readonly role: Role;
  /** Whether the queue gets the events of all public channels. */
  readonly hears_all: boolean;
}

/** The entries of audiences that mean a queue, but for those of channels. */
export const entriesFor = ({ user_id, role, hears_all }: Listener): number[] => [
  user_id,
  everyoneWithRole(role),
  ...(hears_all ? [EVERYONE_LISTENING] : []),
];

/** Whether an event is for a queue. */
export function isFor(event: StoredEvent, { user_id, role, hears_all }: Listener): boolean {
  const audience = audienceOf(event);
  return (
    audience.has(user_id) ||
    audience.has(everyoneWithRole(role)) ||
    (hears_all && audience.has(EVERYONE_LISTENING)) ||
    isForSubscriber(event, user_id)
  );
}

const audiences = new WeakMap<StoredEvent, ReadonlySet<number>>();

/** The audience of an event, made once for all polls: users and polls may be thousands. */
function audienceOf(event: StoredEvent): ReadonlySet<number> {
  const known = audiences.get(event);
  if (known) return known;
  const audience = new Set(event.audience);
  audiences.set(event, audience);
  return audience;
}
