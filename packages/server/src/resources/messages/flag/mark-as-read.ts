import {
  badRequest,
  type Api,
  MAX_FETCHED,
  NEWEST_ANCHOR,
  type NarrowTerm,
} from '@bellhop/protocol';

import { ApiError } from '../../../engine/api-error.ts';
import type { Handlers, StepsCall } from '../../../engine/resource.ts';
import { fetchPage } from '../../../model/messages/fetch/fetch-page.ts';
import { compileNarrow } from '../../../model/messages/fetch/narrow/compile-narrow.ts';
import { updateFlags } from './update-flags.ts';

/** The limit of one request. Each batch has a transaction and an event of its own. */
const MAX_BATCHES = 40;

type Call = Pick<StepsCall<Api['messages']['markAllAsRead']>, 'db' | 'realm' | 'user' | 'change'>;

export const markAllAsRead: Handlers<'messages'>['markAllAsRead'] = async (call) => ({
  complete: await markAsRead(call, []),
});

export const markChannelAsRead: Handlers<'messages'>['markChannelAsRead'] = async (call) => {
  await inChannel(markAsRead(call, [termOf('channel', call.params.stream_id)]));
  return {};
};

export const markTopicAsRead: Handlers<'messages'>['markTopicAsRead'] = async (call) => {
  const { stream_id, topic_name } = call.params;
  const terms = [termOf('channel', stream_id), termOf('topic', topic_name)];
  const newest = { anchor: NEWEST_ANCHOR, include_anchor: false, num_before: 1, num_after: 0 };
  const [message] = await fetchPage(call, await inChannel(compileNarrow(call, terms)), newest);
  if (!message) throw badRequest(`No such topic '${topic_name}'`);
  await inChannel(markAsRead(call, terms));
  return {};
};

export const termOf = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
  negated: false,
});

/** Throws BAD_REQUEST for a channel that the user does not see, or not any more. */
async function inChannel<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_NARROW')
      throw badRequest('Invalid channel ID');
    throw error;
  }
}

/** Marks the unread messages of a narrow as read, oldest first. Returns true if none is left. */
export async function markAsRead(call: Call, terms: readonly NarrowTerm[]): Promise<boolean> {
  const { realm, user } = call;
  const narrow = await compileNarrow(call, [...terms, termOf('is', 'unread')]);
  const range = { anchor: 0, include_anchor: false, num_before: 0, num_after: MAX_FETCHED };
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { processed } = await call.change((change) =>
      updateFlags(change, { realm, user, op: 'add', flag: 'read', narrow, range }),
    );
    if (processed < MAX_FETCHED) return true;
  }
  return false;
}
