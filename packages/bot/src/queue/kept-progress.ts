import type { Store } from '../stores/store.ts';
import { type HandledMessages, handledFrom } from './handled-messages.ts';

/** Writes down what was handled, one write at a time and each with the newest there is. */
export interface KeptProgress {
  load(): Promise<HandledMessages | undefined>;
  save(handled: HandledMessages): void;
  /** Resolves when all is written, or could not be. */
  written(): Promise<void>;
}

interface Keeping {
  readonly store: Store | undefined;
  readonly key: string;
  readonly onError: (error: unknown) => void;
}

export function keptProgress({ store, key, onError }: Keeping): KeptProgress {
  let writing: Promise<void> | undefined;
  let newest: HandledMessages | undefined;

  async function write(to: Store): Promise<void> {
    while (newest) {
      const value = newest.snapshot();
      newest = undefined;
      try {
        await to.set(key, value);
      } catch (error) {
        onError(error);
      }
    }
    writing = undefined;
  }
  return {
    load: async () => handledFrom((await store?.get(key))?.value),
    save(handled) {
      if (!store) return;
      newest = handled;
      writing ??= write(store);
    },
    written: async () => writing,
  };
}
