import type { ComponentChildren } from 'preact';

import { IconButton } from '../../controls/button.tsx';
import { focusRow } from '../../list/row-keys.ts';
import { useKeys } from '../../navigation/keys.ts';
import { go } from '../../navigation/location.ts';
import { hrefOf } from '../go-to.ts';
import type { InspectorProps } from '../page.ts';

type PanelProps = Pick<InspectorProps, 'page' | 'item'> & {
  /** Undefined: the row is not there, and the panel says so. */
  readonly title?: string | undefined;
  readonly children?: ComponentChildren;
};

/** The open row at the right. Esc closes it and focuses the row. */
export function Panel({ page: { id, words }, item, title, children }: PanelProps) {
  const close = () => {
    go(hrefOf(id));
    focusRow(item);
  };
  useKeys('Details', [{ keys: 'Escape', label: 'Close details', run: close }]);
  return (
    <section class="org-panel" aria-label={title ?? words.title}>
      <header class="org-panel-head">
        <h2 class="grow clip">{title ?? words.title}</h2>
        <IconButton icon="x" label="Close details" onClick={close} />
      </header>
      {title === undefined ? <p class="muted">{words.missing}</p> : children}
    </section>
  );
}
