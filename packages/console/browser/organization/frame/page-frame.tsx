import type { ComponentChildren } from 'preact';

import { Icon } from '../../controls/icon.tsx';
import { href } from '../../navigation/location.ts';
import { strings } from '../strings.ts';

interface PageFrameProps {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly text: string;
  /** The buttons at the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The head of a page and its content. */
export const PageFrame = ({ title, text, actions, children }: PageFrameProps) => (
  <div class="org-page">
    <header class="org-head">
      <a class="icon-button back" href={href(['organization'])} aria-label={strings.back}>
        <Icon name="arrow-left" />
      </a>
      <div class="grow">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
    {children}
  </div>
);
