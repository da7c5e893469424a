export interface ServerEntry {
  readonly version: string;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAt: number;
  readonly text: string;
}

/** Parses `version expiry text`; undefined for a value that serverStore did not write. */
export function readServerEntry(stored: string | undefined): ServerEntry | undefined {
  const [, version, expiresAt, text] = /^([\w-]+) (\d*) (.*)$/s.exec(stored ?? '') ?? [];
  if (version === undefined || text === undefined) return undefined;
  return { version, expiresAt: expiresAt ? Number(expiresAt) : Infinity, text };
}
