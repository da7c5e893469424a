import type { Store } from '../stores/store.ts';
import { type HandledMessages, restoreHandledMessages } from './handled-messages.ts';

/** The part of a store that keeps the progress of a listener. */
export type ProgressStore = Pick<Store, 'get' | 'set'>;

/** Keeps a snapshot of the handled messages in a store. One write runs at a time; newer snapshots replace waiting ones. */
export interface QueueProgress {
  load(): Promise<HandledMessages | undefined>;
  save(handled: HandledMessages): void;
  /** Resolves when no write is running or waiting. Failed writes go to `onError`. */
  written(): Promise<void>;
}

interface QueueProgressOptions {
  /** Without a store nothing is loaded or saved. */
  readonly store: ProgressStore | undefined;
  readonly key: string;
  readonly onError: (error: unknown) => void;
}

export function queueProgress({ store, key, onError }: QueueProgressOptions): QueueProgress {
  let writing: Promise<void> | undefined;
  let unsaved: HandledMessages | undefined;

  async function write(to: ProgressStore): Promise<void> {
    while (unsaved) {
      const value = unsaved.snapshot();
      unsaved = undefined;
      try {
        await to.set(key, value);
      } catch (error) {
        onError(error);
      }
    }
    writing = undefined;
  }
  return {
    load: async () => restoreHandledMessages((await store?.get(key))?.value),
    save(handled) {
      if (!store) return;
      unsaved = handled;
      writing ??= write(store);
    },
    written: async () => writing,
  };
}
