/**
 * JSON text that jsonb accepts. It refuses NUL and half a surrogate pair: both become U+FFFD. Texts
 * of receivers may contain them, and a cut may split a pair.
 */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][\da-f]{2}|.)/g, (escape, code: string) =>
    code.length > 1 ? '\\ufffd' : escape,
  );
