import type { MessageFlag, MessageId, UserId } from '@bellhop/protocol';

import { EVERYONE_LISTENING } from '../../../engine/audience.ts';
import type { Db, Tx } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isPublic } from '../../channels/access.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import { flagBits, flagNames } from './flags.ts';
import { messageReaders } from './message-readers.ts';
import { recipientFlags, recipientFlagsInOrder } from './recipient-flags.ts';

/** The flags that readers see on a message of which they are no recipient. */
export const historicalFlags: MessageFlag[] = flagNames(flagBits.read | flagBits.historical);

interface ChangedMessage {
  readonly id: MessageId;
  readonly channel: ChannelRow | null;
  /** The user who changes the message, who always gets the event. Null for the server. */
  readonly user: User | null;
  /** Whether the event has the flags of each reader: as of its place in the log. */
  readonly sendsFlags?: boolean;
}
interface MessageAudience {
  readonly audience: readonly number[];
  /** The flags of the recipients; other readers have `historicalFlags`. */
  readonly users: Readonly<Record<UserId, { readonly flags: MessageFlag[] }>>;
}

/**
 * The users who get an event about a change to a message: recipients who may still read it, the
 * subscribers of a channel with shared history, and for a public channel the queues that listen to
 * all public channels.
 */
export async function messageAudience(
  db: Tx,
  realm: Realm,
  { id, channel, user, sendsFlags = false }: ChangedMessage,
): Promise<MessageAudience> {
  const flagsOf = sendsFlags ? recipientFlagsInOrder : recipientFlags;
  const received = await flagsOf(db, realm.id, id);
  const others = channel
    ? await channelAudience(db, realm, { id, channel })
    : received.map(({ user_id }) => user_id);
  const users = received.map(({ user_id, flags }) => [user_id, { flags: flagNames(flags) }]);
  const audience = [...new Set([...(user ? [user.id] : []), ...others])];
  return { audience, users: Object.fromEntries(users) };
}

async function channelAudience(
  db: Db,
  realm: Realm,
  { id, channel }: { id: MessageId; channel: ChannelRow },
): Promise<number[]> {
  const readers = await messageReaders(db, { realm: realm.id, ids: [id], channels: [channel.id] });
  const told = readers
    .filter(({ received, reaches, subscribed }) =>
      received ? reaches.length > 0 : subscribed.length > 0 && channel.shares_history,
    )
    .map(({ user_id }) => user_id);
  return isPublic(channel) ? [...told, EVERYONE_LISTENING] : told;
}
