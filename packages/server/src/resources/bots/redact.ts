const LONGEST = 16_384;

/** The beginning of an answer as it may be kept and shown: at most 16 KiB, without secrets. */
export function redact(body: Buffer, secrets: readonly string[]): string {
  let text = body.toString('utf8');
  for (const secret of secrets) text = text.replaceAll(secret, '[redacted]');
  // A database's JSON has no place for control characters and halves of characters.
  return text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
}
