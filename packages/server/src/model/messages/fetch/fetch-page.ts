import { NEWEST_ANCHOR } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { User } from '../../../engine/caller.ts';
import { reactionsOf } from '../../reactions/queries.ts';
import { submessagesOf } from '../../submessages/queries.ts';
import type { MessageRow } from '../message.ts';
import { messagesOf, receivedAllowed, withChannels } from '../read/readable.ts';
import { firstReceived, receivedNearby, together } from '../read/received.ts';
import { type CompiledNarrow, conditionsOf } from './narrow/compile-narrow.ts';
import type { NarrowContext } from './narrow/narrow-term.ts';

/** A row with the flags of its reader. */
export interface ReadRow extends MessageRow {
  readonly flags: number;
}

/** Selects matching messages by their ids or around an anchor. */
export type Range =
  | { readonly ids: readonly number[] }
  | {
      readonly anchor: number;
      readonly include_anchor: boolean;
      readonly num_before: number;
      readonly num_after: number;
      /** The most that the ids differ from the anchor. Default: any. */
      readonly within?: number;
    };
export type AnchoredRange = Exclude<Range, { readonly ids: unknown }>;

/** The narrow that every readable message matches, received or not. */
export const allReadable: CompiledNarrow = {
  conditions: [],
  history: true,
  personal: false,
  flagged: undefined,
  in_open_channel: false,
  in_conversation: false,
  by_sender: false,
  search: undefined,
};

/** Characters of edit history in a page. The newest history is always whole. */
const MAX_HISTORY_LENGTH = 1_000_000;

/** The history of a row `p`, without contents if the newer messages of the page have long ones. */
const shownHistory = sql`case
    when coalesce(sum(length(p.edit_history::text)) over (
      order by p.id desc rows between unbounded preceding and 1 preceding), 0) < ${MAX_HISTORY_LENGTH}
    then p.edit_history
    else (select jsonb_agg(entry - 'prev_content' - 'prev_rendered_content' order by at)
      from jsonb_array_elements(p.edit_history) with ordinality h (entry, at)) end`;

/**
 * Fetches the matching messages of a range, in the order of their ids. Those that the reader received are looked
 * for among the nearest messages of the realm, and a side that these do not fill in each of their channels: both
 * in one statement would take the planner longer than the page.
 */
export async function fetchPage(
  context: Pick<NarrowContext, 'db' | 'user'>,
  narrow: CompiledNarrow,
  range: Range,
): Promise<ReadRow[]> {
  if ('ids' in range || !isNearby(narrow, range)) return readPage(context, { narrow, range });
  const near = await readPage(context, { narrow, range, place: 'nearby' });
  const { older, newer } = lackingSides(near, range);
  if (!older && !newer) return near;
  const { anchor, num_before, num_after } = range;
  const lacking = {
    anchor,
    include_anchor: false,
    num_before: older ? num_before : 0,
    num_after: newer ? num_after : 0,
  };
  const rest = await readPage(context, { narrow, range: lacking, place: 'everywhere' });
  const kept = near.filter(({ id }) => !(older && id < anchor) && !(newer && id > anchor));
  return [...kept, ...rest].toSorted((a, b) => a.id - b.id);
}

/** The sides of the anchor on which a page has fewer messages than it is asked for, and there may be more. */
export function lackingSides(
  rows: readonly ReadRow[],
  { anchor, num_before, num_after }: AnchoredRange,
): { readonly older: boolean; readonly newer: boolean } {
  return {
    older: anchor > 0 && rows.filter(({ id }) => id < anchor).length < num_before,
    newer: anchor < NEWEST_ANCHOR && rows.filter(({ id }) => id > anchor).length < num_after,
  };
}

/** Fetches a page with one statement. */
async function readPage(
  { db, user }: Pick<NarrowContext, 'db' | 'user'>,
  selection: Selection,
): Promise<ReadRow[]> {
  const parts = partsOf(user, selection, columnsOfPage);
  if (parts.length === 0) return [];
  const { rows } = await sql<ReadRow>`
    ${withChannels(user)} select p.id, p.sender_id, p.recipient_id, p.channel_id, p.topic,
      p.content, p.rendered_content, p.sent_at, p.client, p.is_me_message,
      ${shownHistory} as edit_history, p.last_edited_at, p.last_moved_at, p.flags,
      c.name as channel_name, r.user_ids,
      ${reactionsOf(user.realm_id, 'p')} as reactions,
      ${submessagesOf(user.realm_id, 'p')} as submessages from (${sql.join(parts, sql` union all `)}) p
    left join channel c on c.realm_id = ${user.realm_id} and c.id = p.channel_id
    left join recipient r on r.realm_id = ${user.realm_id} and r.id = p.recipient_id
      and p.channel_id is null
    order by p.id`.execute(db);
  return rows;
}

const columnsOfPage = (
  flags: RawBuilder<unknown>,
) => sql`m.id, m.sender_id, m.recipient_id, m.channel_id,
  m.topic, m.content, m.rendered_content, m.sent_at, m.client, m.is_me_message, m.edit_history,
  m.last_edited_at, m.last_moved_at, ${flags} as flags`;

/** The columns of a part, with the flags of the reader. */
type Columns = (flags: RawBuilder<unknown>) => RawBuilder<unknown>;
interface Slice {
  readonly ids: RawBuilder<unknown>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

export interface Selection {
  readonly narrow: CompiledNarrow;
  readonly range: Range;
  /** Where received messages are looked for. Default: everywhere, if those nearby do not do. */
  readonly place?: 'nearby' | 'everywhere';
}

/**
 * The matching messages of a range as parts of a UNION ALL; none if the range is empty. The statement
 * must begin with `withChannels`. `columns` are of `m` and `um`, beside the flags of the reader; the first is
 * the id.
 */
export function partsOf(user: User, selection: Selection, columns: Columns): RawBuilder<unknown>[] {
  const { narrow, range } = selection;
  const { history, in_open_channel } = narrow;
  const matching = (ids: RawBuilder<unknown>, end: RawBuilder<unknown> = sql``) => {
    const { from, allowed, flags } = messagesOf(user, { history, ids });
    const needed = [...(in_open_channel ? [] : [allowed]), ...conditionsOf(narrow)];
    return sql`(select ${columns(flags)} from ${sql.join([from, ...needed], sql` and `)} ${end})`;
  };
  if ('ids' in range) return [matching(sql`= any(${range.ids}::bigint[])`)];
  const { anchor, include_anchor, num_before, num_after, within } = range;
  const slice = (given: Slice) =>
    isReceived(narrow, range)
      ? receivedSlice(user, { ...selection, columns }, given)
      : matching(given.ids, sql`order by m.id ${sql.raw(given.order)} limit ${given.limit}`);
  const older =
    within === undefined ? sql`< ${anchor}` : sql`between ${anchor - within} and ${anchor - 1}`;
  const newer =
    within === undefined ? sql`> ${anchor}` : sql`between ${anchor + 1} and ${anchor + within}`;
  const parts: RawBuilder<unknown>[] = [];
  if (num_before > 0 && anchor > 0)
    parts.push(slice({ ids: older, order: 'desc', limit: num_before }));
  if (include_anchor && anchor > 0 && anchor < NEWEST_ANCHOR)
    parts.push(matching(sql`= ${anchor}`));
  if (num_after > 0 && anchor < NEWEST_ANCHOR)
    parts.push(slice({ ids: newer, order: 'asc', limit: num_after }));
  return parts;
}

/** Whether a range is of messages that the reader received, and that no other index finds. */
const isReceived = (
  { history, search, by_sender }: CompiledNarrow,
  { within }: AnchoredRange,
): boolean => !history && within === undefined && !search && !by_sender;

/** Whether many of them may be next to the anchor. */
const isNearby = (narrow: CompiledNarrow, range: AnchoredRange) =>
  isReceived(narrow, range) && narrow.flagged !== 'marked' && !narrow.in_conversation;

/**
 * Matching messages that the reader received. Most readers have most of the messages next to the anchor, or to
 * their first unread one after it; else those of each of their channels are read, and the first of all of them
 * are the slice.
 */
function receivedSlice(
  user: User,
  { narrow, columns, place }: Pick<Selection, 'narrow' | 'place'> & { readonly columns: Columns },
  slice: Slice,
): RawBuilder<unknown> {
  const { ids, order, limit } = slice;
  const end = (id: RawBuilder<unknown>) => sql`order by ${id} ${sql.raw(order)} limit ${limit}`;
  const needed = [receivedAllowed, ...conditionsOf(narrow)];
  const { flagged: among } = narrow;
  const wanted = { ...slice, among, conditions: needed };
  const nearby = (from: RawBuilder<unknown>) => sql`select ${columns(sql`um.flags`)}
    from ${receivedNearby(user, { ...slice, ids: sql`${ids} ${from}` })} where ${sql.join(needed, sql` and `)} ${end(sql`m.id`)}`;
  if (place === 'nearby') return sql`(${nearby(sql``)})`;
  const all = sql`select * from ${together(firstReceived(user, { ...wanted, columns }))} received`;
  if (place === 'everywhere' || among === 'marked' || narrow.in_conversation)
    return sql`(${all} ${end(sql`id`)})`;
  const first = among && firstReceived(user, { ...wanted, columns: () => sql`m.id`, limit: 1 });
  const from = first
    ? sql`and id ${order === 'asc' ? sql`>= (select min(id)` : sql`<= (select max(id)`} from ${together(first)} found)`
    : sql``;
  return sql`(with near as materialized (${nearby(from)})
    select * from near where (select count(*) from near) = ${limit}
    union all
    select * from (${all} ${end(sql`id`)}) all_received where (select count(*) from near) < ${limit})`;
}
