/**
 * JSON that keeps whole numbers exact. `push_account_id` is a signed 64-bit integer that travels as
 * a JSON number; plain `JSON.parse` would round it. Numbers outside the safe range become `bigint`
 * when read, and `bigint` is written as a plain number.
 */
export function parseJson(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // There is a bigint in it. A replacer makes everything several times slower, so only then.
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

// The JSON source text proposal, in every engine this runs on; not yet in TypeScript's library.
const { rawJSON: rawJson } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const CLOSE_ARRAY = 93;
const CLOSE_OBJECT = 125;

/** How deep the arrays and objects of a JSON text nest, found without parsing it. */
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
