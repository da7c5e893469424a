import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { IconName } from '../../src/icon-names.ts';

export interface PaletteItem {
  readonly title: string;
  /** The kind of the item: `Channel`, `Action`. */
  readonly kind: string;
  readonly icon: IconName;
  /** Takes the words that were typed. */
  readonly run: (words: string) => void;
  /** Whether it is offered last for all words, with which it does something. */
  readonly takesWords?: true;
}
type Source = () => readonly PaletteItem[];

/** The sources of items that the palette asks when it opens. */
export const paletteSources = signal<readonly Source[]>([]);

/** Offers items in the palette while the component is on the page. */
export function usePaletteItems(source: Source, dependencies: readonly unknown[]): void {
  useEffect(() => {
    paletteSources.value = [...paletteSources.peek(), source];
    return () => {
      paletteSources.value = paletteSources.peek().filter((one) => one !== source);
    };
  }, [...dependencies]);
}
