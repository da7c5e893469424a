import {
  anchorOf,
  type Api,
  badRequest,
  type ChannelId,
  MAX_FETCHED,
  NEWEST_ANCHOR,
} from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Handlers, StepsCall } from '../../../engine/resource.ts';
import { allReadable } from '../../../model/messages/fetch/fetch-page.ts';
import { firstUnread } from '../../../model/messages/fetch/first-unread.ts';
import {
  compileNarrow,
  searchedFromIndex,
} from '../../../model/messages/fetch/narrow/compile-narrow.ts';
import { inSearchTurn } from '../../../model/messages/fetch/search-turns.ts';
import type { FlagChange } from '../../../model/messages/flag/queries.ts';
import { updateFlags } from './update-flags.ts';

export const setFlag: Handlers<'messages'>['setFlag'] = async (call) => {
  const { user, realm, params } = call;
  const { messages, op, flag } = params;
  const range = { ids: [...new Set(messages)] };
  const updated = await updateFlags(call, {
    realm,
    user,
    op,
    flag,
    narrow: allReadable,
    range,
  });
  if (updated.processed < range.ids.length) throw badRequest('Invalid message(s)');
  const ignored = new Set(updated.ignored);
  return {
    messages: messages.filter((id) => !ignored.has(id)),
    ...ignoredChannels(params, updated.ignored_channels),
  };
};

export const setFlagInNarrow: Handlers<'messages'>['setFlagInNarrow'] = (call) =>
  inSearchTurn(call, () => call.change((change) => changeInNarrow(call, change)));

async function changeInNarrow(
  { user, realm, params }: StepsCall<Api['messages']['setFlagInNarrow']>,
  change: Change<'update_message_flags'>,
) {
  const { db } = change;
  const { op, flag, include_anchor } = params;
  const requested = anchorOf({ anchor: params.anchor, use_first_unread_anchor: false });
  if (!include_anchor && params.num_before > 0 && params.num_after > 0)
    throw badRequest('The anchor can only be excluded at an end of the range');
  const { num_before, num_after } = limited(params);
  const context = { db, realm, user };
  const narrow = await searchedFromIndex(await compileNarrow(context, params.narrow ?? []));
  const anchor =
    requested === 'first_unread'
      ? ((await firstUnread(context, narrow)) ?? NEWEST_ANCHOR)
      : requested;
  const range = { anchor, include_anchor, num_before, num_after };
  const page = await updateFlags(change, { realm, user, op, flag, narrow, range });
  return {
    processed_count: page.processed,
    updated_count: page.updated,
    first_processed_id: page.first,
    last_processed_id: page.last,
    found_oldest: anchor === 0 || page.before < num_before,
    found_newest: anchor === NEWEST_ANCHOR || page.after < num_after,
    ...ignoredChannels(params, page.ignored_channels),
  };
}

interface Counts {
  readonly num_before: number;
  readonly num_after: number;
}

/** Lowers the counts to MAX_FETCHED together. The larger one is lowered first, to half of it at least. */
function limited({ num_before, num_after }: Counts): Counts {
  const before = Math.min(num_before, Math.max(MAX_FETCHED - num_after, MAX_FETCHED / 2));
  return { num_before: before, num_after: Math.min(num_after, MAX_FETCHED - before) };
}

const ignoredChannels = ({ op, flag }: FlagChange, ids: readonly ChannelId[]) =>
  op === 'remove' && flag === 'read' ? { ignored_because_not_subscribed_channels: [...ids] } : {};
