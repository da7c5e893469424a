import {
  type Api,
  type AskOf,
  type BotDelivery,
  DeliveryStatus,
  MessageId,
} from '@bellhop/protocol';

import { parseFilter, timeOf } from '../../list/filter-text.ts';
import { timeKeys } from '../../list/matcher.ts';
import type { FilterKeys } from '../../list/suggestions.ts';

/** The filters of the server, for a list and for a replay of many deliveries. */
export type DeliveryFilter = Pick<
  AskOf<Api['botDeliveries']['list']>,
  'message_id' | 'status' | 'trigger' | 'http_status' | 'after_ms' | 'before_ms' | 'search'
>;

export const filterKeys: FilterKeys = {
  status: DeliveryStatus.options,
  trigger: ['mention', 'direct_message', 'follow_up', 'test'],
  http: ['200', '404', '500'],
  ...timeKeys,
  message: [],
};

/**
 * Parses a filter like `status:failed after:10m words`; undefined if a value can match nothing,
 * like `status:broken`.
 */
export function deliveryFilter(text: string, now: number): DeliveryFilter | undefined {
  const { terms, words, unknown } = parseFilter(text, Object.keys(filterKeys));
  const { status, trigger, http, after, before, message } = terms;
  const known = DeliveryStatus.safeParse(status);
  const ofMessage = MessageId.safeParse(Number(message));
  const [after_ms, before_ms] = [after, before].map((one) =>
    one === undefined ? undefined : timeOf(one, now),
  );
  const isWrong =
    (status !== undefined && !known.success) ||
    (message !== undefined && !ofMessage.success) ||
    (http !== undefined && !/^\d{1,3}$/.test(http)) ||
    // A replay must not take more than the times that were meant.
    unknown.some((term) => /^(?:after|before):/.test(term));
  if (isWrong) return undefined;
  return {
    ...(known.success && { status: known.data }),
    ...(ofMessage.success && { message_id: ofMessage.data }),
    ...(trigger !== undefined && { trigger }),
    ...(http !== undefined && { http_status: Number(http) }),
    ...(after_ms !== undefined && { after_ms }),
    ...(before_ms !== undefined && { before_ms }),
    ...(words !== '' && { search: words }),
  };
}

/**
 * Whether a delivery matches a filter, except `search`, which only the server can decide: it
 * searches bodies, too.
 */
export function matches(delivery: BotDelivery, filter: DeliveryFilter): boolean {
  const { message_id, status, trigger, http_status, created_ms, reply } = delivery;
  return (
    (filter.message_id === undefined ||
      filter.message_id === message_id ||
      filter.message_id === reply.message_id) &&
    (filter.status === undefined || filter.status === status) &&
    (filter.trigger === undefined || filter.trigger === trigger) &&
    (filter.http_status === undefined || filter.http_status === http_status) &&
    (filter.after_ms === undefined || created_ms >= filter.after_ms) &&
    (filter.before_ms === undefined || created_ms < filter.before_ms)
  );
}
