const MAX_QUOTED = 40;

/** The first 40 characters of a text on one line, in quotation marks after a space. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  return ` "${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}"`;
}
