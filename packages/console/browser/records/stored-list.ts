import { type ReadonlySignal, signal } from '@preact/signals';
import { z } from 'zod';

import { readJson } from '../json/read-json.ts';

/** Named texts that a browser keeps. */
export interface StoredList {
  readonly entries: ReadonlySignal<readonly StoredText[]>;
  /** Puts an entry first; one of the same name is replaced, and the oldest makes room. */
  readonly keep: (entry: StoredText) => void;
  readonly remove: (name: string) => void;
}
const StoredText = z.object({ name: z.string(), text: z.string() });
type StoredText = z.output<typeof StoredText>;

const lists = new Map<string, StoredList>();

/** The list of at most `max` entries in the local storage. Anything else stored there is dropped. */
export function storedList(key: string, max: number): StoredList {
  const known = lists.get(key) ?? openList(key, max);
  lists.set(key, known);
  return known;
}

function openList(key: string, max: number): StoredList {
  const entries = signal<readonly StoredText[]>(read(key));
  const write = (next: readonly StoredText[]) => {
    const kept = next.slice(0, max);
    // Throws when the storage is full: then nothing is shown as kept.
    localStorage.setItem(key, JSON.stringify(kept));
    entries.value = kept;
  };
  const without = (name: string) => entries.peek().filter((entry) => entry.name !== name);
  return {
    entries,
    keep: (entry) => write([entry, ...without(entry.name)]),
    remove: (name) => write(without(name)),
  };
}

const read = (key: string): StoredText[] =>
  StoredText.array().safeParse(readJson(localStorage.getItem(key) ?? '')).data ?? [];
