import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { IconName } from '../../src/icon-names.ts';

export interface PaletteItem {
  readonly title: string;
  /** What kind of thing it is: `Channel`, `Action`. */
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
}
type Source = () => readonly PaletteItem[];

/** Where the palette asks for items when it opens. */
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
