/**
 * Parses JSON and keeps integers exact: one outside the safe range becomes a `bigint`. Plain
 * `JSON.parse` would round `push_account_id`, a signed 64-bit integer.
 */
export function parseJson(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** Writes JSON; a `bigint` becomes a number. */
export function stringifyJson(value: unknown): string {
  if (!hasBigInt(value))
    try {
      return JSON.stringify(value);
    } catch {
      // A bigint deeper in the value.
    }
  // A replacer, and an error for each value that needs one, take several times as long.
  return JSON.stringify(withRawNumbers(value));
}

/** Whether the value or an object right in it has a field that is a bigint. */
const hasBigInt = (value: unknown, depth = 1): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some(
    (field) => typeof field === 'bigint' || (depth > 0 && hasBigInt(field, depth - 1)),
  );

/**
 * A copy of the value in which each bigint is raw JSON, which JSON.stringify writes as a number.
 */
function withRawNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJson(value.toString());
  if (Array.isArray(value)) return value.map(withRawNumbers);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withRawNumbers(field)]),
  );
}

/** Characters of JSON beside those of a text, of a number, and for each character to be escaped. */
const QUOTES = 2;
const LONGEST_NUMBER = 26;
const LONGEST_ESCAPE = 6;

/** Whether the JSON text of a value has at most `max` characters. Writes it only if that is close. */
export const isJsonWithin = (value: unknown, max: number): boolean =>
  longestJson(value) <= max || stringifyJson(value).length <= max;

/** No JSON text of the value is longer. */
function longestJson(value: unknown): number {
  if (typeof value === 'string') return longestText(value);
  if (typeof value === 'bigint') return value.toString().length;
  if (typeof value !== 'object' || value === null) return LONGEST_NUMBER;
  if ('toJSON' in value) return Number.POSITIVE_INFINITY;
  let length = QUOTES;
  for (const [name, field] of Object.entries(value))
    length += longestText(name) + longestJson(field) + QUOTES;
  return length;
}

const longestText = (text: string): number =>
  QUOTES + text.length * (/^[\w+/=.:, -]*$/.test(text) ? 1 : LONGEST_ESCAPE);

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
