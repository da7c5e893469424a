import { useRef } from 'preact/hooks';

import { Icon } from '../controls/icon.tsx';
import { rowKeys } from '../list/row-keys.ts';
import { useKeys } from '../navigation/keys.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { findOperations, type Operation } from './operations.ts';
import { strings } from './strings.ts';

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** The ID of the operation that is shown. */
  readonly shown: string | undefined;
}

/** The operations by resource, with a search that is in the address. */
export function OperationList({ operations, shown }: OperationListProps) {
  const input = useRef<HTMLInputElement>(null);
  const { find = '' } = query.value;
  const found = findOperations(operations, find);
  useKeys(strings.list, [
    { keys: '/', label: strings.search, run: () => input.current?.select() },
    ...rowKeys(() => shown),
  ]);
  return (
    <div class="nav-list">
      <form class="api-search" role="search" onSubmit={(event) => event.preventDefault()}>
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          aria-label={strings.search}
          placeholder={strings.searchPlaceholder}
          autocomplete="off"
          maxLength={100}
          value={find}
          onInput={({ currentTarget }) =>
            setQuery({ find: currentTarget.value || undefined }, { replace: true })
          }
          onKeyDown={({ key }) => {
            if (key === 'Escape') input.current?.blur();
          }}
        />
      </form>
      <p class="visually-hidden" role="status">
        {find === '' ? '' : strings.found(found.length)}
      </p>
      {found.length === 0 && <p class="api-nothing muted">{strings.nothing}</p>}
      {[...Map.groupBy(found, ({ resource }) => resource)].map(([resource, members]) => (
        <section key={resource} aria-label={resource}>
          <h2>{resource}</h2>
          <ul role="list">
            {members.map(({ id, method, about }) => (
              <li key={id}>
                <a
                  class="nav-entry"
                  data-row={id}
                  href={href(['api', id], { find })}
                  aria-current={id === shown ? 'page' : undefined}
                >
                  <Method name={method} />
                  <span class="grow">{about.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export const Method = ({ name }: { name: string }) => (
  <span class={`method ${name.toLowerCase()}`}>{name}</span>
);
