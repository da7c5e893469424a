import type { ComponentChildren } from 'preact';

import { Icon } from '../../controls/icon.tsx';
import { href } from '../../navigation/location.ts';

interface HomeHeadProps {
  readonly title: string;
  /** Buttons at the right. */
  readonly children?: ComponentChildren;
}

/** The head of a page that lists conversations. */
export const HomeHead = ({ title, children }: HomeHeadProps) => (
  <header class="conversation-head">
    <a class="icon-button back" href={href(['chat'])} aria-label="Back to conversations">
      <Icon name="arrow-left" />
    </a>
    <h2 class="grow clip">{title}</h2>
    {children}
  </header>
);
