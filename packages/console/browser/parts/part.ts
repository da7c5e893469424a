import type { ComponentType } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { PaletteItem } from '../shell/palette-items.ts';

export interface PartProps {
  /** The account that the page shows. Its state has been fetched. */
  readonly account: LiveAccount;
}

/** One of the areas of the console. */
export interface Part {
  /** The first name of its paths: `/console/chat/...`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** `g` and this key go there. */
  readonly key: string;
  /** Loads the code of the part at the first visit. */
  readonly load: () => Promise<ComponentType<PartProps>>;
  /** Loads what the palette offers of the part, whatever part is shown. */
  readonly palette?: () => Promise<(account: LiveAccount) => readonly PaletteItem[]>;
}
