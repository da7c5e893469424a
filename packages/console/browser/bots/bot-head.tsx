import type { ComponentChildren } from 'preact';

import { Icon } from '../controls/icon.tsx';
import { href } from '../navigation/location.ts';

/** The line above a page of a bot; on a narrow screen it leads back to the list. */
export const BotHead = ({ children }: { children: ComponentChildren }) => (
  <header class="bot-head">
    <a class="icon-button back" href={href(['bots'])} aria-label="Back to bots">
      <Icon name="arrow-left" />
    </a>
    {children}
  </header>
);
