const WANTED = new Set([
  'content-length',
  'content-type',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);
const LENGTHS = new Set(Array.from(WANTED, (name) => name.length));

/** Of raw headers, which are names and values in turn, those that say something about a delivery. */
export function wantedHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!LENGTHS.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (WANTED.has(lower)) found[lower] ??= raw[at + 1] ?? '';
  }
  return found;
}
