import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import { IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useKeys } from '../navigation/keys.ts';

import './filter-field.css';
import { parseFilter, withTerm } from './filter-text.ts';
import { filterBy, shownFilter } from './shown-filter.ts';
import { type FilterKeys, suggestions } from './suggestions.ts';

interface FilterFieldProps {
  /** Names the field and its key. */
  readonly label?: string;
  /** A hint at what words search. */
  readonly placeholder: string;
  /** Keys of terms as `status:failed`. Without keys a filter has words only. */
  readonly keys?: FilterKeys;
}
/** A filter with terms may ask the server. */
const TYPED_MS = 200;

/** The filter of a list, in the address as `?q=`. The key `/` goes to the field. */
export function FilterField({ label = 'Filter', placeholder, keys }: FilterFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const filter = shownFilter();
  const text = useSignal(filter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A value on the page was clicked, or the browser went back.
    if (document.activeElement !== input.current || filter === '') text.value = filter;
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys('Filter', [{ keys: '/', label, run: () => input.current?.select() }]);
  const apply = (typed: string) => {
    clearTimeout(timer.current);
    filterBy(typed.trim(), { replace: true });
  };
  const unknown = keys ? parseFilter(filter, Object.keys(keys)).unknown : [];
  return (
    <form
      class="filter-field grow"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text.value);
      }}
    >
      <div class="filter-box">
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          aria-label={label}
          placeholder={placeholder}
          list={keys ? id : undefined}
          autocomplete="off"
          spellcheck={false}
          maxLength={500}
          value={text.value}
          onInput={({ currentTarget: { value } }) => {
            text.value = value;
            clearTimeout(timer.current);
            if (keys) timer.current = setTimeout(() => apply(value), TYPED_MS);
            else apply(value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            apply(text.value);
            input.current?.blur();
          }}
        />
        {keys && text.value !== '' && (
          <IconButton
            icon="x"
            label="Clear filter"
            onClick={() => {
              text.value = '';
              apply('');
            }}
          />
        )}
        {keys && (
          <datalist id={id}>
            {suggestions(text.value, keys).map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        )}
      </div>
      {keys && unknown.length > 0 && (
        <span class="filter-note" role="status">
          Unknown filter: {unknown.join(', ')}. You can use {Object.keys(keys).join(', ')}.
        </span>
      )}
    </form>
  );
}

interface FilterValueProps {
  readonly name: string;
  readonly value: string;
  readonly children: preact.ComponentChildren;
}

/** A value on the page: a click filters by it, and a second click removes the filter. */
export const FilterValue = ({ name, value, children }: FilterValueProps) => (
  <button
    type="button"
    class="filter-value"
    title={`Show only ${name}:${value}`}
    onClick={(event) => {
      event.stopPropagation();
      filterBy(withTerm(shownFilter(), name, value));
    }}
  >
    {children}
  </button>
);
