import type { ComponentChildren } from 'preact';

import type { FilterKeys } from '../list/suggestions.ts';
import type { Query } from '../navigation/location.ts';
import type { Marks } from './marks.ts';

/** How the inspector of a list is in the address. */
export interface Opened<T> {
  /** The key of the row that is open. */
  readonly key: () => string | undefined;
  /** Opens a row, and nothing else. */
  readonly opens: (row: T) => Query;
  /** Closes the inspector. */
  readonly closed: Query;
}

/** A list of records, newest first: its rows, its filter, and its inspector. */
export interface RecordList<T> {
  /** Names what this browser keeps of the list. */
  readonly id: string;
  readonly label: string;
  readonly keyOf: (row: T) => string;
  /** UNIX milliseconds. */
  readonly timeOf: (row: T) => number;
  /** Names a row for screen readers, who hear its time, too. */
  readonly nameOf: (row: T) => string;
  /** Of lists that have failures: the next one is found by `n`, recent ones are in the title of the page. */
  readonly isFailed?: (row: T) => boolean;
  /** The columns after mark and time, as grid items. */
  readonly cells: (row: T) => ComponentChildren;
  /** The class of a row, which lays the columns out. */
  readonly rowClass: string;
  /** The names of the columns, above the first row. */
  readonly heads?: readonly string[];
  readonly filterKeys: FilterKeys;
  readonly placeholder: string;
  /** A hint for a person whose filter matches nothing. */
  readonly noMatch?: string;
  readonly opened: Opened<T>;
  readonly marks: Marks;
}
