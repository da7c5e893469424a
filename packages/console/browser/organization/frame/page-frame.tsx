import type { ComponentChildren } from 'preact';

import type { IconName } from '../../../src/icon-names.ts';
import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { Icon } from '../../controls/icon.tsx';
import { href, query, setQuery } from '../../navigation/location.ts';
import { strings } from '../strings.ts';

interface PageFrameProps {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly text: string;
  /** The buttons at the right of the title, or in an empty list. */
  readonly actions?: ComponentChildren;
  /** What an empty list would have; false if it has rows. */
  readonly empty?: EmptyList | false;
  readonly children?: ComponentChildren;
}
interface EmptyList {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

/** The head of a page and its content. */
export const PageFrame = ({ title, text, actions, empty = false, children }: PageFrameProps) => (
  <div class="org-page">
    <header class="org-head">
      <a class="icon-button back" href={href(['organization'])} aria-label={strings.back}>
        <Icon name="arrow-left" />
      </a>
      <div class="grow">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {actions && (!empty || isFiltered()) && <div class="row">{actions}</div>}
    </header>
    {children}
    {empty && <NoRows {...empty} actions={actions} />}
  </div>
);

/** Whether the address chooses among the rows of the page. */
const isFiltered = () => query.value['q'] !== undefined || query.value['show'] !== undefined;

const NoRows = ({ icon, title, text, actions }: EmptyList & Pick<PageFrameProps, 'actions'>) =>
  isFiltered() ? (
    <Empty icon="search" title={strings.nothingMatches}>
      <Button onClick={() => setQuery({ q: undefined, show: undefined })}>{strings.showAll}</Button>
    </Empty>
  ) : (
    <Empty icon={icon} title={title}>
      <p>{text}</p>
      {actions}
    </Empty>
  );
