import type { ChannelId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { rightsInChannels, rightsInRealm } from './channel-rights.ts';
import type { ChannelRow } from './channel-rows.ts';

/** What a user may do with a channel is decided in channel-rights.ts. These are its names. */

/** A user, or nobody: a client without a login, by the id of no user. */
type Viewer = Pick<User, 'id' | 'realm_id'>;

/** The users whose messages a user may delete. */
interface DeletionRights {
  readonly deletesAny: boolean;
  readonly deletesOwn: boolean;
}

/** The rights of one user in one channel. */
export interface ChannelAccess extends DeletionRights {
  readonly isSubscribed: boolean;
  /** Name, description, settings and subscribers. */
  readonly seesMetadata: boolean;
  /** Messages, and subscribing oneself (spec, Create a channel). */
  readonly readsContent: boolean;
  /** Messages from before the user came. */
  readonly readsHistory: boolean;
  readonly administers: boolean;
  readonly addsSubscribers: boolean;
  /** Unsubscribes other users. */
  readonly removesSubscribers: boolean;
  /** Changes topics of messages in the channel. */
  readonly movesWithin: boolean;
  /** Moves messages to other channels. */
  readonly movesOut: boolean;
  readonly resolvesTopics: boolean;
}

/** The rights of a user as rows, one for each channel of the realm: for the FROM clause of statements. */
export const channelRights = ({ id, realm_id }: Viewer): RawBuilder<unknown> =>
  sql`(${rightsInChannels(realm_id, id)}) rights`;

const deletions = sql`deletes_any as "deletesAny", deletes_own as "deletesOwn"`;

/** The rights of a user in these channels; without `ids`, in every channel of the realm. */
export async function channelAccess(
  db: Db,
  viewer: Viewer,
  ids?: readonly ChannelId[],
): Promise<Map<ChannelId, ChannelAccess>> {
  const { rows } = await sql<ChannelAccess & { channel_id: ChannelId }>`
    select channel_id, is_subscribed as "isSubscribed", sees_metadata as "seesMetadata",
      reads_content as "readsContent", reads_history as "readsHistory", administers,
      adds_subscribers as "addsSubscribers", removes_subscribers as "removesSubscribers",
      moves_within as "movesWithin", moves_out as "movesOut",
      resolves_topics as "resolvesTopics", ${deletions}
    from ${channelRights(viewer)}
    ${ids ? sql`where channel_id = any(${ids}::bigint[])` : sql``}`.execute(db);
  return new Map(rows.map(({ channel_id, ...access }) => [channel_id, access]));
}

/** The users whose messages a user may delete in a channel, or in direct messages (null). */
export async function deletionRights(
  db: Db,
  viewer: Viewer,
  channel: ChannelId | null,
): Promise<DeletionRights> {
  const { rows } = await sql<DeletionRights>`select ${deletions} from ${
    channel === null
      ? sql`(${rightsInRealm(viewer.realm_id, viewer.id)}) rights`
      : sql`${channelRights(viewer)} where channel_id = ${channel}`
  }`.execute(db);
  return rows[0] ?? { deletesAny: false, deletesOwn: false };
}

/** Everybody but guests reads a public channel without being subscribed. */
export const isPublic = ({ invite_only }: Pick<ChannelRow, 'invite_only'>): boolean => !invite_only;
