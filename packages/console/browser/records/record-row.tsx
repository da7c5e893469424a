import { ClockTime, clockText } from '../controls/clock-time.tsx';
import { memo } from '../list/memo.tsx';
import { href, path, query, setQuery } from '../navigation/location.ts';
import type { RecordList } from './record-list.ts';

interface RecordRowProps {
  readonly list: RecordList<unknown>;
  readonly row: unknown;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
}

/** One record. The link over the row opens it; its values filter the list. */
export const RecordRow = memo(function RecordRow({ list, row, isOpen, isMarked }: RecordRowProps) {
  const key = list.keyOf(row);
  const time = list.timeOf(row);
  const name = `${list.nameOf(row)}, ${clockText(time)}`;
  const opens = { ...list.opened.opens(row), compare: undefined };
  return (
    <article
      class={`record ${list.rowClass}${isOpen ? ' open' : ''}`}
      onClick={({ target }) => {
        // Text that can be selected lies over the link.
        const isText = (target as Element).closest('.selectable') !== null;
        if (isText && getSelection()?.isCollapsed !== false) setQuery(opens);
      }}
    >
      <label class="record-mark">
        <input
          type="checkbox"
          checked={isMarked}
          aria-label={`Mark ${name}`}
          onChange={() => list.marks.toggle(key)}
        />
      </label>
      <a
        class="record-link"
        data-row={key}
        href={href(path.peek(), { ...query.peek(), ...opens })}
        aria-label={name}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => {
          const { ctrlKey, metaKey, altKey, shiftKey } = event;
          if (ctrlKey || metaKey || altKey || shiftKey) return;
          // The address may have changed since the row was rendered.
          event.preventDefault();
          setQuery(opens);
        }}
      >
        <ClockTime ms={time} />
      </a>
      {list.cells(row)}
    </article>
  );
});
