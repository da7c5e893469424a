/** One step of a path in the notation of JSONPath: `.name`, `[0]` or `["a name"]`. */
export const pathStep = (key: string | number): string => {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
};

/** Whether a path leads on from another one. */
export const isBelow = (path: string, below: string): boolean =>
  below.startsWith(path) && /^[.[]/.test(below.slice(path.length));
