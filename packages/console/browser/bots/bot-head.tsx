import type { ComponentChildren } from 'preact';

import { Icon } from '../controls/icon.tsx';
import { href } from '../navigation/location.ts';
import { strings } from './strings.ts';

/** The line above a page of a bot; on a narrow screen it leads back to the list. */
export const BotHead = ({ children }: { children: ComponentChildren }) => (
  <header class="bot-head">
    <a class="icon-button back" href={href(['bots'])} aria-label={strings.back}>
      <Icon name="arrow-left" />
    </a>
    {children}
  </header>
);
