const MAX_EXCERPT = 16_384;
/** Stands for a secret. */
export const MASK = '[redacted]';

/** The first 16,384 characters of a text, or `most`, without secrets, fit to be stored and shown. */
export function redact(body: string, secrets: readonly string[], most = MAX_EXCERPT): string {
  let text = body;
  for (const secret of secrets) text = text.replaceAll(secret, MASK);
  // PostgreSQL's JSON takes no lone surrogates, and control characters must not reach a terminal.
  return text
    .slice(0, most)
    .replaceAll('\r\n', '\n')
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
}
