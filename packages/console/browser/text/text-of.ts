/** A text of a value from outside; empty for anything but text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
