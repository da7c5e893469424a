export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A value with the version it has: an opaque text that is another after every write. */
export interface Stored {
  readonly value: JsonValue;
  readonly version: string;
}

export interface SetOptions {
  /** After so many milliseconds the value is gone. Kept for good when left out. */
  readonly ttlMs?: number;
  /** Writes only over this version; null: only where nothing is. Left out: over anything. */
  readonly expected?: string | null;
}

/**
 * Where a bot keeps what must outlive a message: sessions, dialogs, replies it owes. Keys are texts
 * of at most 400 characters; values are JSON.
 */
export interface Store {
  /** Undefined where nothing is, or nothing is left. */
  get(key: string): Promise<Stored | undefined>;
  /** Writes and returns the new version; undefined when what is there is not `expected`. */
  set(key: string, value: JsonValue, options?: SetOptions): Promise<string | undefined>;
  delete(key: string): Promise<void>;
  /** The keys that begin with `prefix`, in no order. */
  list(prefix: string): Promise<readonly string[]>;
  close(): Promise<void>;
}
