import type { ComponentChildren } from 'preact';

import { IconButton } from '../../controls/button.tsx';
import { focusRow } from '../../list/row-keys.ts';
import { useKeys } from '../../navigation/keys.ts';
import { go } from '../../navigation/location.ts';
import { hrefOf } from '../go-to.ts';
import { strings } from '../strings.ts';

interface PanelProps {
  readonly title: string;
  readonly page: string;
  readonly item: string;
  readonly children: ComponentChildren;
}

/** The open row at the right. Esc closes it and focuses the row. */
export function Panel({ title, page, item, children }: PanelProps) {
  const close = () => {
    go(hrefOf(page));
    focusRow(item);
  };
  useKeys(strings.panel, [{ keys: 'Escape', label: strings.closePanel, run: close }]);
  return (
    <section class="org-panel" aria-label={title}>
      <header class="org-panel-head">
        <h2 class="grow clip">{title}</h2>
        <IconButton icon="x" label={strings.closePanel} onClick={close} />
      </header>
      {children}
    </section>
  );
}
