import type { Bot, BotDelivery } from '@bellhop/protocol';

import { durationText } from '../../controls/duration-text.ts';
import { FilterValue } from '../../list/filter-field.tsx';
import { query } from '../../navigation/location.ts';
import type { Opened, RecordList } from '../../records/record-list.ts';
import { filterKeys } from './delivery-filter.ts';
import { markOf, marks } from './marked-deliveries.ts';
import { hasFailed, StatusPill } from './status-pill.tsx';

export const openedDelivery: Opened<BotDelivery> = {
  key: () => {
    const { delivery, of } = query.value;
    return delivery === undefined ? undefined : `${of}.${delivery}`;
  },
  opens: ({ id, bot_id }) => ({ delivery: id, of: String(bot_id), attempt: undefined }),
  closed: { delivery: undefined, of: undefined, attempt: undefined },
};

/** The list of the deliveries of some bots. It names the bot of a delivery if there are several. */
export function deliveryList(bots: readonly Bot[]): RecordList<BotDelivery> {
  const names = new Map(bots.map(({ user_id, full_name }) => [user_id, full_name]));
  const botOf = ({ bot_id }: BotDelivery) => names.get(bot_id) ?? '';
  return {
    id: 'delivery',
    label: 'Deliveries',
    keyOf: markOf,
    timeOf: ({ created_ms }) => created_ms,
    nameOf: (delivery) => `Delivery to ${botOf(delivery)}`,
    isFailed: hasFailed,
    cells: (delivery) => cellsOf(delivery, names.size > 1 ? botOf(delivery) : undefined),
    rowClass: names.size > 1 ? 'delivery with-bot' : 'delivery',
    heads: [
      'Time',
      'Status',
      ...(names.size > 1 ? ['Bot'] : []),
      'Trigger',
      'Message',
      'What happened',
      'HTTP',
      'Took',
    ],
    filterKeys,
    placeholder: 'status:failed after:10m',
    noMatch: 'Deliveries are kept for 14 days unless the operator has changed this.',
    opened: openedDelivery,
    marks,
  };
}

/** Half of the time that a bot has for its answer. */
const SLOW_MS = 5000;

function cellsOf(delivery: BotDelivery, bot: string | undefined) {
  const { status, trigger, http_status, duration_ms, verdict, attempt_count } = delivery;
  // A silence that was probably meant as a reply.
  const isDoubtful = delivery.error_code === 'misnamed_reply';
  return (
    <>
      <span class="delivery-status">
        <FilterValue name="status" value={status}>
          <StatusPill delivery={delivery} />
        </FilterValue>
      </span>
      {bot !== undefined && <span class="delivery-bot clip">{bot}</span>}
      <span class="delivery-trigger clip">
        <FilterValue name="trigger" value={trigger}>
          {trigger}
        </FilterValue>
        {delivery.replay_of !== null && ` replay`}
      </span>
      <span class="delivery-message clip" dir="auto">
        {delivery.excerpt}
      </span>
      <span
        class={isDoubtful ? 'delivery-verdict selectable doubtful' : 'delivery-verdict selectable'}
      >
        {attempt_count > 1 && `${`${attempt_count} attempts`} · `}
        {verdict}
      </span>
      <span class="delivery-http">
        {http_status !== null && (
          <FilterValue name="http" value={String(http_status)}>
            {http_status}
          </FilterValue>
        )}
      </span>
      <span class={(duration_ms ?? 0) < SLOW_MS ? 'delivery-ms time' : 'delivery-ms time slow'}>
        {duration_ms === null ? '' : durationText(duration_ms)}
      </span>
    </>
  );
}
