export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A value and its version, an opaque text that changes with every write. */
export interface Stored {
  readonly value: JsonValue;
  readonly version: string;
}

export interface SetOptions {
  /** The value expires after this time. Undefined: it does not expire. */
  readonly ttlMs?: number;
  /** Writes only if the key has this version; null: only if it has no value. Undefined: always. */
  readonly expected?: string | null;
}

/**
 * Keeps a bot's sessions, dialogs and pending replies. Keys are texts of 1 to 400 characters; values
 * are JSON. Every failure is a BotError `store_failed`.
 */
export interface Store {
  /**
   * True if only one process at a time can use the storage: it takes over at its start what an earlier
   * one has left. Otherwise bots claim deliveries and tasks by `expected`, so that of several processes
   * one handles each.
   */
  readonly singleProcess?: boolean;
  /** Returns undefined if the key has no value or its value has expired. */
  get(key: string): Promise<Stored | undefined>;
  /** Writes and returns the new version; undefined if the current version is not `expected`. */
  set(key: string, value: JsonValue, options?: SetOptions): Promise<string | undefined>;
  delete(key: string): Promise<void>;
  /** Returns the keys that begin with `prefix`, in no particular order. */
  list(prefix: string): Promise<readonly string[]>;
  /** Later calls of the other methods reject. */
  close(): Promise<void>;
}
