import { types } from 'pg';

const oid = { int8: 20, date: 1082, int8Array: 1016 } as const;

/** An int8 as a number, or as a bigint beyond 2^53. */
function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function parseInt8Array(text: string): (number | bigint | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : parseInt8(item)));
}

/**
 * Converts column values: int8 (and count(*)) to number, timestamptz to Date, date to text, json to
 * its value, numeric to text. An int8 beyond 2^53 becomes a bigint: `BigInt(row.column)` is exact for
 * every int8.
 */
export const valueParsers = {
  getTypeParser(id: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (format === 'binary') return types.getTypeParser(id, format);
    if (id === oid.int8) return parseInt8;
    if (id === oid.int8Array) return parseInt8Array;
    if (id === oid.date) return String;
    return types.getTypeParser(id, 'text');
  },
};
