import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import { channelsIn, everyoneInChannel } from './audience.ts';
import type { Db } from './call.ts';
import {
  type LogRow,
  MEMBERSHIP,
  type MembershipChange,
  type StoredEvent,
} from './stored-event.ts';

type Members = Map<ChannelId, ReadonlySet<UserId>>;

interface Scope {
  readonly realm: RealmId;
  /** The only user who is asked for. Undefined: all. */
  readonly user?: UserId;
}

/** Members kept for a realm, about 40 bytes each; those of a channel that no event names for long are read again. */
const MAX_MEMBERS = 1_000_000;

/**
 * The subscribers of channels as of the newest row of the log that was read. For each page of rows: `load`,
 * and then `resolve`.
 */
export class ChannelMembers {
  readonly #scope: Scope;
  readonly #max: number;
  /** By channel, the one that an event named last at the end. A set does not change: events keep it. */
  readonly #members: Members = new Map();

  constructor(scope: Scope, max = MAX_MEMBERS) {
    this.#scope = scope;
    this.#max = max;
  }

  /**
   * Reads the members of the channels that these rows name and that are not known yet, as of `seq`, which
   * is before the rows and not before the rows of the last page.
   */
  async load(db: Db, rows: readonly LogRow[], seq: number): Promise<Members> {
    const named = new Set(rows.flatMap((row) => (isEvent(row) ? channelsIn(row.audience) : [])));
    const channels = [...named].filter((id) => !this.#members.has(id));
    return channels.length === 0 ? new Map() : membersAt(db, this.#scope, { channels, seq });
  }

  /** The events among the rows of a page, each with the subscribers of its channels as of its place. */
  resolve(rows: readonly LogRow[], loaded: Members): StoredEvent[] {
    for (const [channel, members] of loaded) this.#members.set(channel, members);
    const events: StoredEvent[] = [];
    for (const row of rows)
      if (isEvent(row))
        events.push({ ...row, subscribers: channelsIn(row.audience).map(this.#of) });
      else changeMembers(this.#members, row.payload, row.payload.op === 'join');
    this.#forgetSurplus();
    return events;
  }

  readonly #of = (channel: ChannelId): ReadonlySet<UserId> => {
    const members = this.#members.get(channel);
    if (!members) throw new Error(`The subscribers of channel ${channel} were not read`);
    this.#members.delete(channel);
    this.#members.set(channel, members);
    return members;
  };

  #forgetSurplus(): void {
    const sizeOf = (members: ReadonlySet<UserId>) => members.size + 1;
    let size = 0;
    for (const members of this.#members.values()) size += sizeOf(members);
    for (const [channel, members] of this.#members) {
      if (size <= this.#max) return;
      this.#members.delete(channel);
      size -= sizeOf(members);
    }
  }
}

const isEvent = (row: LogRow) => row.type !== MEMBERSHIP;

/** Replaces the sets of these channels that are known by sets with these users, or without them. */
function changeMembers(known: Members, { members }: MembershipChange, areMembers: boolean): void {
  for (const [channel, users] of members) {
    const former = known.get(channel);
    if (!former) continue;
    const changed = new Set(former);
    for (const user of users)
      if (areMembers) changed.add(user);
      else changed.delete(user);
    known.set(channel, changed);
  }
}

/**
 * The subscribers of channels as of an event of the log: those of now, without the changes after it. One
 * statement, so that both are of the same moment.
 */
async function membersAt(
  db: Db,
  { realm, user }: Scope,
  { channels, seq }: { readonly channels: readonly ChannelId[]; readonly seq: number },
): Promise<Members> {
  const isAsked = user === undefined ? sql`true` : sql`s.user_id = ${user}`;
  const entries = user === undefined ? channels.map(everyoneInChannel) : [user];
  const { rows } = await sql<{
    now: MembershipChange['members'];
    later: readonly MembershipChange[];
  }>`select
    (select coalesce(json_agg(json_build_array(m.channel_id, m.users)), '[]') from (
      select s.channel_id, json_agg(s.user_id) as users from subscription s
      where s.realm_id = ${realm} and s.channel_id = any(${channels}::bigint[])
        and s.is_active and ${isAsked}
      group by s.channel_id) m) as now,
    (select coalesce(json_agg(e.payload order by e.seq desc), '[]') from event e
      where e.realm_id = ${realm} and e.seq > ${seq} and e.type = ${sql.lit(MEMBERSHIP)}
        and e.audience && ${entries}::bigint[]) as later`.execute(db);
  const [found] = rows;
  const subscribed = new Map(found?.now);
  const members: Members = new Map(channels.map((id) => [id, new Set(subscribed.get(id))]));
  for (const change of found?.later ?? []) changeMembers(members, change, change.op === 'leave');
  return members;
}
