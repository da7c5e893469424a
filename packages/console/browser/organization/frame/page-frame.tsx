import type { ComponentChildren } from 'preact';

import { BackLink } from '../../controls/back-link.tsx';
import { href } from '../../navigation/location.ts';
import { usePageName } from '../../shell/page-title.ts';
import type { PageProps } from '../page.ts';

type PageFrameProps = Pick<PageProps, 'page'> & {
  /** The buttons at the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** The head of a page and its content. */
export const PageFrame = ({ page: { words }, actions, children }: PageFrameProps) => {
  usePageName(words.title);
  return (
    <div class="org-page">
      <header class="org-head">
        <BackLink to={href(['organization'])} label="Back to pages" />
        <div class="grow">
          <h2>{words.title}</h2>
          <p class="muted">{words.text}</p>
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
};
