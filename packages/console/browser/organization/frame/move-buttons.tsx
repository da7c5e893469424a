import { IconButton } from '../../controls/button.tsx';
import type { Action } from '../../controls/use-action.ts';

interface Ordered {
  readonly id: number;
}
interface MoveButtonsProps<Row extends Ordered> {
  readonly row: Row;
  /** The rows that are shown, in their order. */
  readonly rows: readonly Row[];
  /** All rows in their order. */
  readonly all: readonly Row[];
  readonly action: Action;
  /** Gets the IDs of all rows in their new order. */
  readonly reorder: (order: Row['id'][]) => Promise<unknown>;
}

/** Two buttons that change the place of a row with the one above or below it. */
export function MoveButtons<Row extends Ordered>(props: MoveButtonsProps<Row>) {
  const { row, rows, all, action, reorder } = props;
  const move = (by: 1 | -1) => {
    const other = rows[rows.indexOf(row) + by];
    if (!other) return;
    const order = all.map(({ id }) => {
      if (id === row.id) return other.id;
      return id === other.id ? row.id : id;
    });
    action.run(reorder(order));
  };
  return (
    <span class="row">
      <IconButton
        icon="arrow-up"
        label="Move up"
        disabled={action.isBusy.value || row === rows[0]}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="arrow-down"
        label="Move down"
        disabled={action.isBusy.value || row === rows.at(-1)}
        onClick={() => move(1)}
      />
    </span>
  );
}
