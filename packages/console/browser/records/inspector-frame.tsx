import type { ComponentChildren } from 'preact';

import { IconButton } from '../controls/button.tsx';
import { closeOpened } from './opened.ts';
import type { Opened } from './record-list.ts';

interface InspectorFrameProps {
  readonly label: string;
  readonly title: string;
  readonly opened: Opened<never>;
  readonly children: ComponentChildren;
}

/** The panel beside a list: the title of the open record, a button that closes it, and its content. */
export const InspectorFrame = ({ label, title, opened, children }: InspectorFrameProps) => (
  <section class="inspector" aria-label={label}>
    <header class="inspector-head">
      <h2 class="grow clip">{title}</h2>
      <IconButton icon="x" label="Close" onClick={() => closeOpened(opened)} />
    </header>
    {children}
  </section>
);
