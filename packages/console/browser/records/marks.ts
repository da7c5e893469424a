import { type Signal, signal } from '@preact/signals';

/** Up to two rows that a person marks to compare them. */
export interface Marks {
  readonly keys: Signal<readonly string[]>;
  /** Marks a row, or removes its mark. A third row takes the place of the first. */
  readonly toggle: (key: string) => void;
  readonly clear: () => void;
}

export function createMarks(): Marks {
  const keys = signal<readonly string[]>([]);
  return {
    keys,
    toggle: (key) => {
      const known = keys.peek();
      keys.value = known.includes(key)
        ? known.filter((one) => one !== key)
        : [...known, key].slice(-2);
    },
    clear: () => (keys.value = []),
  };
}
