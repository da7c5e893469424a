import type { MessageFlag, MessageId, UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { EVERYONE_LISTENING } from '../../../engine/event-log.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import { sharesHistory } from '../../channels/readable-channels.ts';
import { readings } from '../edit/edit-queries.ts';
import { flagBits, flagNames } from './flags.ts';
import { messageReaders } from './message-readers.ts';

/** The flags of those who may read a message that they never received. */
export const historicalFlags: MessageFlag[] = flagNames(flagBits.read | flagBits.historical);

interface Changed {
  readonly id: MessageId;
  readonly channel: ChannelRow | null;
  /** Who changes it, who is told in any case. */
  readonly user: User;
}
interface Told {
  /** For `emit`. */
  readonly audience: readonly number[];
  /** The flags of those who received it; the others have `historicalFlags`. */
  readonly users: Readonly<Record<UserId, { readonly flags: MessageFlag[] }>>;
}

/**
 * Those who are told what happens to a message: who received it and may still read it, in a channel
 * that shares its history also who is subscribed, and queues that hear all public channels.
 */
export async function messageAudience(
  db: Db,
  realm: Realm,
  { id, channel, user }: Changed,
): Promise<Told> {
  const received = await readings(db, realm.id, id);
  const others = channel
    ? await channelAudience(db, realm, { id, channel })
    : received.map(({ user_id }) => user_id);
  const users = received.map(({ user_id, flags }) => [user_id, { flags: flagNames(flags) }]);
  const audience = [...new Set([user.id, ...others])];
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
      received ? reaches.length > 0 : subscribed.length > 0 && sharesHistory(channel),
    )
    .map(({ user_id }) => user_id);
  return channel.invite_only ? told : [...told, EVERYONE_LISTENING];
}
