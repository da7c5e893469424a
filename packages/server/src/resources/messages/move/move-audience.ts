import type { MessageId, UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { EVERYONE_LISTENING } from '../../../engine/event-log.ts';
import { sharesHistory } from '../../channels/readable-channels.ts';
import { type MessageReader, messageReaders } from '../read/message-readers.ts';
import { heldBy } from './move-queries.ts';
import type { Move } from './plan-move.ts';

/** Some of those who are told of a move, and the messages they know of. */
interface Group {
  readonly ids: readonly MessageId[];
  readonly users: readonly number[];
  /** Of those who hear all public channels: who is not told after all. */
  readonly except?: readonly UserId[];
}
interface MoveAudience {
  /** They could read the messages, and still can. */
  readonly follow: readonly Group[];
  /** They could read the messages, and cannot where these go. */
  readonly lose: readonly Group[];
}

interface Moving {
  readonly user: User;
  readonly move: Move;
  readonly ids: readonly MessageId[];
}

/**
 * Who is told of a move. To be asked before it happens. Nobody is told who could not read the
 * messages where they were: not even the name of a channel is given away.
 */
export async function moveAudience(
  db: Db,
  realm: Realm,
  { user, move, ids }: Moving,
): Promise<MoveAudience> {
  const [from, to] = [move.from.channel, move.to.channel];
  const readers = await messageReaders(db, {
    realm: realm.id,
    ids,
    channels: [...new Set([from.id, to.id])],
    also: user.id,
  });
  const knows = ({ user_id, received, reaches, subscribed }: MessageReader) =>
    user_id === user.id ||
    (reaches.includes(from.id) && (received || (subscribed.length > 0 && sharesHistory(from))));
  const follows = ({ received, reaches, subscribed }: MessageReader) =>
    reaches.includes(to.id) && (sharesHistory(to) || received || subscribed.includes(to.id));
  const knowing = readers.filter(knows);
  const following = knowing.filter(follows).map(({ user_id }) => user_id);
  const losing = knowing.filter((one) => !follows(one)).map(({ user_id }) => user_id);
  if (sharesHistory(from)) {
    const hearing = from.invite_only ? [] : [EVERYONE_LISTENING];
    return to.invite_only
      ? {
          follow: [{ ids, users: following }],
          lose: [{ ids, users: [...losing, ...hearing], except: following }],
        }
      : {
          follow: [{ ids, users: [...following, ...hearing] }],
          lose: [{ ids, users: losing }],
        };
  }
  const held = new Map((await heldBy(db, realm.id, ids)).map((one) => [one.user_id, one.ids]));
  return { follow: byMessages(following, held), lose: byMessages(losing, held) };
}

/** Where everybody reads only what they received: those who received the same together. */
function byMessages(
  users: readonly UserId[],
  held: ReadonlyMap<UserId, readonly MessageId[]>,
): Group[] {
  const groups = Map.groupBy(users, (user) => (held.get(user) ?? []).join());
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    const ids = (first !== undefined && held.get(first)) || [];
    return ids.length === 0 ? [] : [{ ids, users: alike }];
  });
}
