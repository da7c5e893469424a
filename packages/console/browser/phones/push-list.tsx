import { Pill } from '../controls/pill.tsx';
import { Elapsed } from '../controls/ticking.tsx';
import { FilterValue } from '../list/filter-field.tsx';
import { query } from '../navigation/location.ts';
import { createMarks } from '../records/marks.ts';
import type { Opened, RecordList } from '../records/record-list.ts';
import { filterKeys, outcomeOf, type PushRow, summaryOf, typeOf } from './push-rows.ts';

export const openedPush: Opened<PushRow> = {
  key: () => query.value['push'],
  opens: ({ cipher_id }) => ({ push: cipher_id, asof: undefined }),
  closed: { push: undefined, asof: undefined, tab: undefined },
};

/** The list of the pushes to a device. `isOurs`: its arrivals are known. */
export const pushList = (isOurs: boolean): RecordList<PushRow> => ({
  id: 'push',
  label: 'Pushes',
  keyOf: ({ cipher_id }) => cipher_id,
  timeOf: ({ at }) => at,
  nameOf: () => 'Push',
  isFailed: (row) => outcomeOf(row).status === 'failed',
  cells: (row) => cellsOf(row, isOurs),
  rowClass: 'push',
  filterKeys,
  placeholder: 'status:failed after:10m',
  opened: openedPush,
  marks: createMarks(),
});

function cellsOf(row: PushRow, isOurs: boolean) {
  const { at, trace } = row;
  const { word, tone, icon, status } = outcomeOf(row);
  // The provider of another program does not report the outcome of accepted notifications.
  const isOpen = status === 'waiting' && (isOurs || trace?.outcome !== 'accepted');
  const attempts = trace?.attempts.length ?? 0;
  const type = typeOf(row);
  return (
    <>
      <span class="push-status">
        <FilterValue name="status" value={status}>
          <Pill tone={tone} icon={icon}>
            {word} {isOpen && <Elapsed from={at} />}
          </Pill>
        </FilterValue>
      </span>
      <span class="push-type muted">
        {type && (
          <FilterValue name="type" value={type}>
            {type}
          </FilterValue>
        )}
      </span>
      <span class="push-text clip" dir="auto">
        {summaryOf(row)}
      </span>
      <span class="push-attempts muted time">{attempts > 1 && `${attempts} attempts`}</span>
    </>
  );
}
