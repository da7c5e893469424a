/** From the first byte to before the last one. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one range that a Range header asks of so many bytes. Undefined: all of them, as for several
 * ranges and for what is no range; `none` where it lies behind the end.
 */
export function byteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { from: size - length, to: size };
  }
  const from = Number(first);
  const to = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? 'none' : { from, to };
}
