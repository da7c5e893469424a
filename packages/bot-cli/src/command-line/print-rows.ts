import { terminalLine } from './terminal-text.ts';

/** Prints each row as a line of JSON, or all as a table; all have the same keys, its headers. */
export function printRows(rows: readonly object[], { json }: { readonly json: boolean }): void {
  if (json) for (const row of rows) console.log(JSON.stringify(row));
  else if (rows[0]) for (const line of tableOf(Object.keys(rows[0]), rows)) console.log(line);
}

function tableOf(columns: readonly string[], rows: readonly object[]): string[] {
  const cells = rows.map((row) => columns.map((_, at) => cellOf(Object.values(row)[at])));
  const lines = [columns, ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ');
  return terminalLine(typeof value === 'string' ? value : JSON.stringify(value));
}
