/**
 * The bot's storage on the chat server (spec, `/bot_storage`). A missing key is left out of the
 * result, or the call rejects with an error whose `code`, or whose cause's code, is `BAD_REQUEST`.
 */
export interface BotStorage {
  /** All entries if no keys are given. */
  get(keys?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  put(entries: Readonly<Record<string, string>>): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}
