import { query, setQuery } from '../../navigation/location.ts';

const names = { deactivated: 'Deactivated', archived: 'Archived' };
type Other = keyof typeof names;

interface ShowChoiceProps {
  readonly label: string;
  /** The rows that a page shows instead of the active ones. */
  readonly other: Other;
}

/** Chooses whether a page shows its active or its inactive rows. The choice is in the address. */
export const ShowChoice = ({ label, other }: ShowChoiceProps) => (
  <select
    class="input org-select"
    aria-label={label}
    value={shows(other) ? other : ''}
    onChange={({ currentTarget }) => setQuery({ show: currentTarget.value || undefined })}
  >
    <option value="">Active</option>
    <option value={other}>{names[other]}</option>
  </select>
);

/** Whether the page shows the inactive rows. */
export const shows = (other: Other): boolean => query.value['show'] === other;
