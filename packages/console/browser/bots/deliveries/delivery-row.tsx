import type { BotDelivery } from '@bellhop/protocol';

import { ClockTime, clockText } from '../../controls/clock-time.tsx';
import { durationText } from '../../controls/duration-text.ts';
import { FilterValue } from '../../list/filter-field.tsx';
import { memo } from '../../list/memo.tsx';
import { href, path, query } from '../../navigation/location.ts';
import { markOf, marks } from './marked-deliveries.ts';
import { StatusPill } from './status-pill.tsx';
import { strings } from './strings.ts';

interface DeliveryRowProps {
  readonly delivery: BotDelivery;
  /** The name of the bot, which is shown in a list of several. */
  readonly bot: string;
  readonly showsBot: boolean;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
}

/** Half of the time that a bot has for its answer. */
const SLOW_MS = 5000;

/** One delivery. The link over the row opens it; its values filter the list. */
export const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, bot, showsBot, isSelected, isMarked } = props;
  const { id, bot_id, created_ms, trigger, http_status, duration_ms, verdict } = delivery;
  const { excerpt } = delivery;
  // A silence that was probably meant as a reply.
  const isDoubtful = delivery.error_code === 'misnamed_reply';
  const when = clockText(created_ms);
  return (
    <article class={`delivery${isSelected ? ' selected' : ''}${showsBot ? ' with-bot' : ''}`}>
      <label class="delivery-mark">
        <input
          type="checkbox"
          checked={isMarked}
          aria-label={strings.mark(when)}
          onChange={() => marks.toggle(markOf(delivery))}
        />
      </label>
      <a
        class="delivery-link"
        data-row={id}
        href={href(path.peek(), { ...query.peek(), delivery: id, of: String(bot_id) })}
        aria-label={strings.open(when, bot)}
        aria-current={isSelected ? 'true' : undefined}
      >
        <ClockTime ms={created_ms} />
      </a>
      <span class="delivery-status">
        <FilterValue name="status" value={delivery.status}>
          <StatusPill delivery={delivery} />
        </FilterValue>
      </span>
      {showsBot && <span class="delivery-bot clip">{bot}</span>}
      <span class="delivery-trigger clip">
        <FilterValue name="trigger" value={trigger}>
          {trigger}
        </FilterValue>
        {delivery.replay_of !== null && ` ${strings.replayed}`}
      </span>
      <span class="delivery-message clip" dir="auto">
        {excerpt}
      </span>
      <span
        class={isDoubtful ? 'delivery-verdict doubtful clip' : 'delivery-verdict clip'}
        title={verdict}
      >
        {delivery.attempt_count > 1 && `${strings.attempts(delivery.attempt_count)} · `}
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
    </article>
  );
});
