import { IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';

interface Entry {
  readonly id: number;
  readonly label: string;
}
interface EntriesProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly entries: readonly Entry[];
  /** The entries that may be added. */
  readonly others: readonly Entry[];
  readonly addLabel: string;
  /** Undefined if the reader may not change the list. */
  readonly add: ((id: number) => Promise<unknown>) | undefined;
  readonly remove: ((id: number) => Promise<unknown>) | undefined;
}

/** A list whose entries are removed by a button and added by a choice. */
export function Entries({ title, note, entries, others, addLabel, add, remove }: EntriesProps) {
  const { error, isBusy, run } = useAction();
  return (
    <section class="org-entries">
      <h3>{title}</h3>
      {entries.length === 0 && <p class="muted">None</p>}
      <ul role="list">
        {entries.map(({ id, label }) => (
          <li key={id} class="row">
            <span class="grow clip">{label}</span>
            {remove && (
              <IconButton
                icon="x"
                label={`Remove ${label}`}
                disabled={isBusy.value}
                onClick={() => run(remove(id))}
              />
            )}
          </li>
        ))}
      </ul>
      {note && <p class="muted">{note}</p>}
      <ErrorNotice error={error.value} />
      {add && others.length > 0 && (
        <select
          class="input"
          aria-label={addLabel}
          value=""
          disabled={isBusy.value}
          onChange={({ currentTarget }) => {
            run(add(Number(currentTarget.value)));
            currentTarget.value = '';
          }}
        >
          <option value="">{addLabel} …</option>
          {others.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </section>
  );
}

/** The entries with these IDs, and those without, in the order of their labels. */
export function parted(all: readonly Entry[], ids: readonly number[]) {
  const sorted = all.toSorted((a, b) => a.label.localeCompare(b.label));
  const isIn = ({ id }: Entry) => ids.includes(id);
  return { entries: sorted.filter(isIn), others: sorted.filter((entry) => !isIn(entry)) };
}
