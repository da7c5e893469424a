import { Icon } from '../controls/icon.tsx';
import { FilterField } from '../list/filter-field.tsx';
import { rowKeys } from '../list/row-keys.ts';
import { shownFilter } from '../list/shown-filter.ts';
import { useKeys } from '../navigation/keys.ts';
import { href } from '../navigation/location.ts';
import { findOperations, type Operation } from './operations.ts';

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** The ID of the operation that is shown. */
  readonly shown: string | undefined;
}

/** The name of the page about the API as a whole, in the path in place of an operation. */
export const OVERVIEW = 'overview';

/** The operations by resource, with a search that is in the address. */
export function OperationList({ operations, shown }: OperationListProps) {
  const find = shownFilter();
  const found = findOperations(operations, find);
  useKeys(
    'Operations',
    rowKeys(() => shown),
  );
  return (
    <div class="nav-list">
      <div class="api-search">
        <FilterField label="Find an operation" placeholder="Name, path or summary" />
      </div>
      <a
        class="nav-entry"
        href={href(['api', OVERVIEW])}
        aria-current={shown === undefined || shown === OVERVIEW ? 'page' : undefined}
      >
        <Icon name="info" />
        Overview
      </a>
      <p class="visually-hidden" role="status">
        {find === '' ? '' : `${found.length} operations`}
      </p>
      {found.length === 0 && <p class="api-nothing muted">No operations found.</p>}
      {[...Map.groupBy(found, ({ resource }) => resource)].map(([resource, members]) => (
        <section key={resource} aria-label={resource}>
          <h2>{resource}</h2>
          <ul role="list">
            {members.map(({ id, method, about }) => (
              <li key={id}>
                <a
                  class="nav-entry"
                  data-row={id}
                  href={href(['api', id], { q: find })}
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
