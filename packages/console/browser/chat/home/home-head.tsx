import type { ComponentChildren } from 'preact';

import { BackLink } from '../../controls/back-link.tsx';
import { href } from '../../navigation/location.ts';
import { usePageName } from '../../shell/page-title.ts';

interface HomeHeadProps {
  readonly title: string;
  /** Buttons at the right. */
  readonly children?: ComponentChildren;
}

/** The head of a page that lists conversations. */
export const HomeHead = ({ title, children }: HomeHeadProps) => {
  usePageName(title);
  return (
    <header class="page-head">
      <BackLink to={href(['chat'])} label="Back to conversations" />
      <h2 class="grow clip">{title}</h2>
      {children}
    </header>
  );
};
