import {
  anchorOf,
  badRequest,
  type FetchedMessage,
  MAX_FETCHED,
  NEWEST_ANCHOR,
  shownTopic,
} from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { userOrSpectator } from '../../../engine/spectator.ts';
import { fetchPage, type ReadRow } from '../../../model/messages/fetch/fetch-page.ts';
import { firstUnread } from '../../../model/messages/fetch/first-unread.ts';
import { highlight } from '../../../model/messages/fetch/highlight.ts';
import {
  type CompiledNarrow,
  compileNarrow,
  searchedFromIndex,
} from '../../../model/messages/fetch/narrow/compile-narrow.ts';
import type { NarrowContext } from '../../../model/messages/fetch/narrow/narrow-term.ts';
import { searchPage } from '../../../model/messages/fetch/search-page.ts';
import { inSearchTurn } from '../../../model/messages/fetch/search-turns.ts';
import {
  messageForClient,
  messageRecords,
  type MessageForm,
} from '../../../model/messages/message-record.ts';
import { flagNames } from '../../../model/messages/read/flags.ts';

type Fetch = Handlers<'messages'>['fetch'];

export const fetchMessages: Fetch = (call) => inSearchTurn(call, () => fetchNow(call));

const fetchNow: Fetch = async (call) => {
  const { db, realm, params } = call;
  const user = userOrSpectator(call);
  const { num_before, num_after, include_anchor, message_ids } = params;
  const context = { db, realm, user };
  if (num_before + num_after > MAX_FETCHED)
    throw badRequest(`Too many messages requested (maximum ${MAX_FETCHED}).`);
  if (message_ids) {
    const ranged = num_before > 0 || num_after > 0 || !include_anchor || 'anchor' in params;
    if (ranged || params.use_first_unread_anchor)
      throw badRequest('message_ids cannot be combined with an anchor or a range around it');
    const narrow = await compileNarrow(context, params.narrow ?? []);
    const withHistory = { ...narrow, history: !narrow.personal };
    const rows = await fetchPage(context, withHistory, { ids: message_ids });
    return { messages: await present(context, { rows, narrow }, params), ...withoutRange };
  }
  const requested = anchorOf(params);
  if (!include_anchor && num_before > 0 && num_after > 0)
    throw badRequest('The anchor can only be excluded at an end of the range');
  const size = { include_anchor, num_before, num_after };
  const narrow = await compileNarrow(context, params.narrow ?? []);
  const { anchor, rows } = await findPage(context, narrow, { requested, ...size });
  const before = rows.filter(({ id }) => id < anchor).length;
  const after = rows.filter(({ id }) => id > anchor).length;
  return {
    messages: await present(context, { rows, narrow }, params),
    anchor,
    found_anchor: before + after < rows.length,
    found_oldest: anchor === 0 || before < num_before,
    found_newest: anchor === NEWEST_ANCHOR || after < num_after,
    history_limited: false,
  };
};

interface RequestedPage {
  readonly requested: ReturnType<typeof anchorOf>;
  readonly include_anchor: boolean;
  readonly num_before: number;
  readonly num_after: number;
}

/** The rows around an anchor, and the anchor that was meant. */
async function findPage(
  context: NarrowContext,
  narrow: CompiledNarrow,
  { requested, ...size }: RequestedPage,
) {
  const anchor =
    requested === 'first_unread'
      ? ((await firstUnread(context, await searchedFromIndex(narrow))) ?? NEWEST_ANCHOR)
      : requested;
  // Where all that matches is unread, nothing matches before the first unread message.
  const isFirst = requested === 'first_unread' && narrow.flagged === 'unread';
  const range = { anchor, ...size, ...(isFirst && { num_before: 0 }) };
  const rows = narrow.search
    ? await searchPage(context, narrow, range)
    : await fetchPage(context, narrow, range);
  return { anchor, rows };
}

const withoutRange = {
  found_anchor: false,
  found_oldest: false,
  found_newest: false,
  history_limited: false,
};

interface NarrowedRows {
  readonly rows: readonly ReadRow[];
  readonly narrow: CompiledNarrow;
}

/** Rows in the format asked for, with the flags of their reader and the matches of a search marked. */
async function present(
  { db, realm, user }: NarrowContext,
  { rows, narrow: { search } }: NarrowedRows,
  options: MessageForm,
): Promise<FetchedMessage[]> {
  const records = await messageRecords(db, { realm, viewer: user }, rows);
  const texts = records.map(({ message: { type, subject, rendered_content } }) => ({
    topic: type === 'stream' ? shownTopic(subject, options.allow_empty_topic_name) : '',
    rendered_content,
  }));
  const marked = search ? await highlight(db, search.query, texts) : [];
  return records.map(({ message }, at) => ({
    ...messageForClient(message, options),
    flags: flagNames(rows[at]?.flags ?? 0),
    ...marked[at],
  }));
}
