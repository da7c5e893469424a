import type { ComponentChildren } from 'preact';

import { BackLink } from '../controls/back-link.tsx';
import { href } from '../navigation/location.ts';

/** The line above a page of a bot; on a narrow screen it leads back to the list. */
export const BotHead = ({ children }: { children: ComponentChildren }) => (
  <header class="page-head">
    <BackLink to={href(['bots'])} label="Back to bots" />
    {children}
  </header>
);
