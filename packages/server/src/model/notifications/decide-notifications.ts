import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { flagBits } from '../messages/read/flags.ts';
import { mutingEach } from '../muted-users/queries.ts';
import { settingsOfUser } from '../users/user-settings.ts';
import {
  decideNotification,
  type Medium,
  type NotificationDecision,
} from './decide-notification.ts';
import { isOnline } from './is-online.ts';
import * as queries from './queries.ts';

/**
 * Seconds until a waiting notification is decided again: an abandoned event queue has expired by
 * then.
 */
export const IDLE_CHECK_SECONDS = 640;

/** A message of which its recipients may have to be notified. */
export interface NotifyingMessage {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
}

/** A message and a user who may have to be notified of it. */
export interface Candidate<M extends NotifyingMessage = NotifyingMessage> {
  readonly message: M;
  readonly user_id: UserId;
  readonly flags: number;
}

interface Notifying<Kind extends Medium> {
  readonly medium: Kind;
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

type Notification<M extends NotifyingMessage, Kind extends Medium> = Candidate<M> &
  NotificationDecision<Kind> & { readonly settings: User['settings'] };

/** The candidates whom `decideNotification` notifies. At most three queries, however many they are. */
export async function decideNotifications<M extends NotifyingMessage, Kind extends Medium>(
  db: Db,
  { medium, realm, now }: Notifying<Kind>,
  candidates: readonly Candidate<M>[],
): Promise<Notification<M, Kind>[]> {
  const unread = candidates.filter(
    ({ message, user_id, flags }) => user_id !== message.sender_id && (flags & flagBits.read) === 0,
  );
  if (unread.length === 0) return [];
  const found = await queries.notifiableUsers(db, realm.id, {
    ids: [...new Set(unread.map(({ user_id }) => user_id))],
    hasDevice: medium === 'push',
  });
  if (found.length === 0) return [];
  // Once for each user, who may have missed many messages.
  const users = new Map(
    found.map((user) => {
      const settings = settingsOfUser({ settings: user.settings, timezone: '' });
      return [user.id, { ...user, settings, isOnline: isOnline(user, { realm, now }) }];
    }),
  );
  const known = unread.filter(({ user_id }) => users.has(user_id));
  const inChannels = known.flatMap(({ message: { channel_id, topic }, user_id }) =>
    channel_id === null ? [] : [{ user_id, channel_id, topic }],
  );
  const senders = [...new Set(known.map(({ message }) => message.sender_id))];
  const [preferences, muting] = await Promise.all([
    inChannels.length === 0 ? [] : queries.topicPreferences(db, realm.id, inChannels),
    mutingEach(db, realm.id, senders),
  ]);
  const mutedBy = new Map(senders.map((sender, at) => [sender, muting[at]]));
  const nextPreferences = preferences.values();
  return known.flatMap((candidate) => {
    const { message, user_id, flags } = candidate;
    const user = users.get(user_id);
    const topic = message.channel_id === null ? undefined : nextPreferences.next().value;
    // A channel message of which the user is no longer a subscriber.
    if (!user || (message.channel_id !== null && !topic)) return [];
    const decision = decideNotification(medium, {
      flags,
      topic,
      isSender: user_id === message.sender_id,
      hasMutedSender: mutedBy.get(message.sender_id)?.has(user_id) ?? false,
      isBot: user.is_bot,
      isActive: user.is_active,
      isOnline: user.isOnline,
      settings: user.settings,
    });
    return decision ? [{ ...candidate, ...decision, settings: user.settings }] : [];
  });
}
