import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { IconName } from '../../src/icon-names.ts';

export interface PaletteItem {
  readonly title: string;
  /** The kind of the item: `Channel`, `Action`. */
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
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
