import type { ComponentChildren } from 'preact';

import { Icon } from '../../controls/icon.tsx';
import { href } from '../../navigation/location.ts';
import type { PageProps } from '../page.ts';

type PageFrameProps = Pick<PageProps, 'page'> & {
  /** The buttons at the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** The head of a page and its content. */
export const PageFrame = ({ page: { words }, actions, children }: PageFrameProps) => (
  <div class="org-page">
    <header class="org-head">
      <a class="icon-button back" href={href(['organization'])} aria-label="Back to pages">
        <Icon name="arrow-left" />
      </a>
      <div class="grow">
        <h2>{words.title}</h2>
        <p class="muted">{words.text}</p>
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
    {children}
  </div>
);
