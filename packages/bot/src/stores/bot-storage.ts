/**
 * The bot's storage on the chat server (spec, `/bot_storage`). For a missing key, `get` and `remove`
 * either leave it out or reject with an error whose `code`, or whose cause's `code`, is `BAD_REQUEST`.
 */
export interface BotStorage {
  /** Returns all entries if `keys` is undefined. */
  get(keys?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  put(entries: Readonly<Record<string, string>>): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}
