/**
 * Parses JSON and keeps integers exact: one outside the safe range becomes a `bigint`. Plain
 * `JSON.parse` would round `push_account_id`, a signed 64-bit integer.
 */
export function parseJson(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** Writes JSON; a `bigint` becomes a number. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The value holds a bigint. A replacer is several times slower, so it is used only then.
    return JSON.stringify(value, digits);
  }
}

const digits = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? rawJson(value.toString()) : value;

function exactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
}

// `JSON.rawJSON` is in every supported engine, but not yet in TypeScript's library.
const { rawJSON: rawJson } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const CLOSE_ARRAY = 93;
const CLOSE_OBJECT = 125;

/** The depth to which arrays and objects nest in a JSON text, found without parsing it. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return deepest;
}
