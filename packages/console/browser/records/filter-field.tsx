import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import { IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useKeys } from '../navigation/keys.ts';
import { query, setQuery } from '../navigation/location.ts';
import { parseFilter, withTerm } from './filter-text.ts';

import './live-list.css';
import { strings } from './strings.ts';

/** The keys of a filter with values to suggest. */
export type FilterKeys = Readonly<Record<string, readonly string[]>>;

interface FilterFieldProps {
  readonly keys: FilterKeys;
  /** A hint at what words search. */
  readonly placeholder: string;
}
const TYPED_MS = 200;

/** The filter of the page, in the address as `?filter=`. The key `/` goes to the field. */
export function FilterField({ keys, placeholder }: FilterFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const filter = query.value['filter'] ?? '';
  const text = useSignal(filter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A value on the page was clicked, or the browser went back.
    if (document.activeElement !== input.current || filter === '') text.value = filter;
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys(strings.filter, [
    { keys: '/', label: strings.focusFilter, run: () => input.current?.select() },
  ]);
  const apply = (typed: string) => {
    clearTimeout(timer.current);
    setQuery({ filter: typed.trim() || undefined }, { replace: true });
  };
  const { unknown } = parseFilter(filter, Object.keys(keys));
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
          aria-label={strings.filter}
          placeholder={placeholder}
          list={id}
          autocomplete="off"
          spellcheck={false}
          maxLength={500}
          value={text.value}
          onInput={({ currentTarget: { value } }) => {
            text.value = value;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => apply(value), TYPED_MS);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') input.current?.blur();
          }}
        />
        {text.value !== '' && (
          <IconButton
            icon="x"
            label={strings.clear}
            onClick={() => {
              text.value = '';
              apply('');
            }}
          />
        )}
        <datalist id={id}>
          {suggestions(text.value, keys).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      </div>
      {unknown.length > 0 && (
        <span class="filter-note" role="status">
          {strings.unknown(unknown.join(', '), Object.keys(keys).join(', '))}
        </span>
      )}
    </form>
  );
}

/** The text with its last word completed in each possible way. */
function suggestions(text: string, keys: FilterKeys): readonly string[] {
  const [, before = '', last = ''] = /^(.*?\s)?(\S*)$/.exec(text) ?? [];
  const terms = Object.entries(keys).flatMap(([key, values]) =>
    last.startsWith(`${key}:`) ? values.map((value) => `${key}:${value}`) : [`${key}:`],
  );
  return terms.filter((term) => term.startsWith(last) && term !== last).map((one) => before + one);
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
    title={strings.filterBy(`${name}:${value}`)}
    onClick={(event) => {
      event.stopPropagation();
      const filter = withTerm(query.peek()['filter'] ?? '', name, value);
      setQuery({ filter: filter || undefined });
    }}
  >
    {children}
  </button>
);
