import type { MessageId, UserId } from '@bellhop/protocol';

import { EVERYONE_LISTENING } from '../../../engine/audience.ts';
import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isPublic } from '../../channels/access.ts';
import { type MessageReader, messageReaders } from '../read/message-readers.ts';
import type { Move } from './plan-move.ts';
import { receivedBy } from './queries.ts';

/** Users who get an event about the same messages. */
interface AudienceGroup {
  readonly ids: readonly MessageId[];
  readonly users: readonly number[];
  /** Users who do not get the event although they listen to all public channels. */
  readonly except?: readonly UserId[];
}
interface MoveAudience {
  /** Users who could read the messages and still can. */
  readonly follow: readonly AudienceGroup[];
  /** Users who could read the messages and no longer can. */
  readonly lose: readonly AudienceGroup[];
}

interface MovedMessages {
  readonly user: User;
  readonly move: {
    readonly from: Pick<Move['from'], 'channel'>;
    readonly to: Pick<Move['to'], 'channel'>;
  };
  readonly ids: readonly MessageId[];
}

/**
 * The users who get an event about a move, to be found before the messages move. Users who could not
 * read the messages get none, so that they do not even learn the name of a channel.
 */
export async function moveAudience(
  db: Db,
  realm: Realm,
  { user, move, ids }: MovedMessages,
): Promise<MoveAudience> {
  const [from, to] = [move.from.channel, move.to.channel];
  const readers = await messageReaders(db, {
    realm: realm.id,
    ids,
    channels: [...new Set([from.id, to.id])],
    also: user.id,
  });
  const couldRead = ({ user_id, received, reaches, subscribed }: MessageReader) =>
    user_id === user.id ||
    (reaches.includes(from.id) && (received || (subscribed.length > 0 && from.shares_history)));
  /** Others read in `to` only what they received. */
  const canReadAll = ({ reaches, subscribed }: MessageReader) =>
    reaches.includes(to.id) && (to.shares_history || subscribed.includes(to.id));
  const canRead = (one: MessageReader) =>
    canReadAll(one) || (one.received && one.reaches.includes(to.id));
  const reading = readers.filter(couldRead);
  const follow = reading.filter(canRead).map(({ user_id }) => user_id);
  const lose = reading.filter((one) => !canRead(one)).map(({ user_id }) => user_id);
  if (!from.shares_history) {
    const received = await receivedIds(db, realm, ids);
    return { follow: byMessages(follow, received), lose: byMessages(lose, received) };
  }
  const listening = isPublic(from) ? [EVERYONE_LISTENING] : [];
  if (isPublic(to))
    return {
      follow: [{ ids, users: [...follow, ...listening] }],
      lose: [{ ids, users: lose }],
    };
  const followAll = reading.filter(canReadAll).map(({ user_id }) => user_id);
  const followPart = reading
    .filter((one) => canRead(one) && !canReadAll(one))
    .map(({ user_id }) => user_id);
  const parts =
    followPart.length === 0 ? [] : byMessages(followPart, await receivedIds(db, realm, ids));
  const rests = parts.map((part) => {
    const kept = new Set(part.ids);
    return { ids: ids.filter((id) => !kept.has(id)), users: part.users };
  });
  return {
    follow: [{ ids, users: followAll }, ...parts],
    lose: [{ ids, users: [...lose, ...listening], except: follow }, ...rests],
  };
}

const receivedIds = async (db: Db, realm: Realm, ids: readonly MessageId[]) =>
  new Map((await receivedBy(db, realm.id, ids)).map((one) => [one.user_id, one.ids]));

/** Groups users by the messages they received, for channels in which users read only those. */
function byMessages(
  users: readonly UserId[],
  received: ReadonlyMap<UserId, readonly MessageId[]>,
): AudienceGroup[] {
  const groups = Map.groupBy(users, (user) => (received.get(user) ?? []).join());
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    const ids = (first !== undefined && received.get(first)) || [];
    return ids.length === 0 ? [] : [{ ids, users: alike }];
  });
}
