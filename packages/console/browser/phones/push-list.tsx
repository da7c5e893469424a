import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ClockTime } from '../controls/clock-time.tsx';
import { Empty } from '../controls/empty.tsx';
import { Icon } from '../controls/icon.tsx';
import { Pill } from '../controls/pill.tsx';
import { Elapsed } from '../controls/ticking.tsx';
import { FilterField } from '../list/filter-field.tsx';
import { parseFilter } from '../list/filter-text.ts';
import { ListLoading } from '../list/list-loading.tsx';
import { LiveList } from '../list/live-list.tsx';
import type { Marks } from '../list/marks.ts';
import { PauseButton } from '../list/pause-button.tsx';
import { query, setQuery } from '../navigation/location.ts';
import { filterKeys, matches, outcomeOf, type PushRow, summaryOf } from './push-rows.ts';
import { shownPush } from './selection.ts';
import type { PhoneStore } from './store.ts';
import { strings } from './strings.ts';

interface PushListProps {
  readonly store: PhoneStore;
  readonly rows: readonly PushRow[];
  readonly marks: Marks;
  /** Whether the arrivals at the device are known. */
  readonly isOurs: boolean;
  readonly onTest: () => void;
}

/** The pushes to a device, newest first, as they come. */
export function PushList({ store, rows, marks, isOurs, onTest }: PushListProps) {
  const isPaused = useSignal(false);
  const filter = query.value['filter'] ?? '';
  const shown = useMemo(() => {
    const parsed = parseFilter(filter, Object.keys(filterKeys));
    return rows.filter((row) => matches(row, parsed));
  }, [rows, filter]);
  return (
    <>
      <div class="row list-tools">
        <FilterField keys={filterKeys} placeholder={strings.filterPlaceholder} />
        <PauseButton isPaused={isPaused} lastEventAt={store.changedAt.value} />
      </div>
      {shown.length === 0 && store.isLoading.value ? (
        <ListLoading />
      ) : shown.length === 0 ? (
        <Empty
          icon="bell"
          title={rows.length === 0 ? strings.noPushes : strings.nothingMatches}
          {...(rows.length === 0 && store.isSandbox.value ? { command: strings.pushCommand } : {})}
        >
          {rows.length === 0 ? (
            <>
              <p>{strings.noPushesText}</p>
              <Button icon="bell" onClick={onTest}>
                {strings.firstTest}
              </Button>
            </>
          ) : (
            <Button onClick={() => setQuery({ filter: undefined })}>{strings.showAll}</Button>
          )}
        </Empty>
      ) : (
        <LiveList
          items={shown}
          keyOf={({ cipher_id }) => cipher_id}
          render={(row) => <Row row={row} marks={marks} isOurs={isOurs} />}
          label={strings.pushes}
          isPaused={isPaused.value}
          reveal={shownPush.value}
          onEnd={store.loadOlder}
        />
      )}
    </>
  );
}

function Row({ row, marks, isOurs }: Pick<PushListProps, 'marks' | 'isOurs'> & { row: PushRow }) {
  const { cipher_id, at, trace } = row;
  const { word, tone, icon, status } = outcomeOf(row);
  // The provider of another program does not tell what became of what it accepted.
  const isOpen = status === 'waiting' && (isOurs || trace?.outcome !== 'accepted');
  const attempts = trace?.attempts.length ?? 0;
  return (
    <button
      type="button"
      class="push-row"
      data-row={cipher_id}
      aria-current={shownPush.value === cipher_id ? 'true' : undefined}
      onClick={() => setQuery({ push: cipher_id, asof: undefined })}
    >
      {marks.keys.value.includes(cipher_id) && <Icon name="check" />}
      <ClockTime ms={at} />
      <span class="grow clip">{summaryOf(row)}</span>
      {attempts > 1 && <span class="muted time">x{attempts}</span>}
      <Pill tone={tone} icon={icon}>
        {word} {isOpen && <Elapsed from={at} />}
      </Pill>
    </button>
  );
}
