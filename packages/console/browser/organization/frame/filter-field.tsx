import { Icon } from '../../controls/icon.tsx';
import { useKeys } from '../../navigation/keys.ts';
import { query, setQuery } from '../../navigation/location.ts';
import { strings } from '../strings.ts';

/** Filters the rows of a page while the user types. The filter is in the address. */
export function FilterField({ label }: { label: string }) {
  useKeys(strings.table, [
    {
      keys: '/',
      label,
      run: () => document.querySelector<HTMLElement>('[data-filter]')?.focus(),
    },
  ]);
  return (
    <div class="search org-filter" role="search">
      <Icon name="search" />
      <input
        class="input"
        data-filter
        aria-label={label}
        placeholder={label}
        value={query.value['q'] ?? ''}
        onInput={({ currentTarget }) =>
          setQuery({ q: currentTarget.value || undefined }, { replace: true })
        }
      />
    </div>
  );
}

/** Whether the filter of the address is part of one of the texts, in any letter case. */
export const matchesFilter = (...texts: readonly (string | null | undefined)[]): boolean => {
  const wanted = (query.value['q'] ?? '').toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
};
