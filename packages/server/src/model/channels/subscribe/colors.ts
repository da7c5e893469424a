import { badRequest } from '@bellhop/protocol';

/** Distinguishable colours, given to new subscriptions in this order. */
const palette = [
  '#4f8de4',
  '#e0a63a',
  '#3fae7a',
  '#c65a5a',
  '#8a6fd1',
  '#2fa3a8',
  '#d4793b',
  '#7aa83c',
  '#c65f9e',
  '#5b75a8',
  '#b08b5e',
  '#56b8d6',
  '#a3558c',
  '#8f9c3a',
  '#e48a8a',
  '#4c9a62',
  '#b59ae0',
  '#d6c052',
  '#6a8f8c',
  '#b8674a',
  '#7cc29b',
  '#9a7b6b',
  '#6f7ee0',
  '#a8a8a8',
] as const;

/** Returns a function that gives the first of the least used colours, `used` counted in. */
export function colorsBeside(used: Iterable<string>): () => string {
  const uses = new Map<string, number>(palette.map((color) => [color, 0]));
  const count = (color: string) => {
    const known = uses.get(color);
    if (known !== undefined) uses.set(color, known + 1);
  };
  for (const color of used) count(color);
  return () => {
    const least = Math.min(...uses.values());
    const color = palette.find((one) => uses.get(one) === least) ?? palette[0];
    count(color);
    return color;
  };
}

/**
 * A colour in lower case. Throws BAD_REQUEST unless it is `#rgb` or `#rrggbb`. The contract cannot say it of
 * the value of a property, which is a colour or a flag, by the name beside it.
 */
export function checkColor(color: string | undefined): string | undefined {
  if (color !== undefined && !/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color))
    throw badRequest('color is not a valid hex color code');
  return color?.toLowerCase();
}
