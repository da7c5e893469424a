import type { ComponentChildren } from 'preact';

interface WorkspaceProps {
  readonly list: ComponentChildren;
  readonly main: ComponentChildren;
  readonly inspector?: ComponentChildren;
  /** Names the list for screen readers. */
  readonly listLabel: string;
  /** The pane that a narrow screen shows. */
  readonly narrow: 'list' | 'main' | 'inspector';
}

/** The three panes of a part: list, main, inspector. A narrow screen shows one of them. */
export const Workspace = ({ list, main, inspector, listLabel, narrow }: WorkspaceProps) => (
  <div class="workspace" data-narrow={narrow} data-inspector={inspector ? '' : undefined}>
    <nav class="pane-list" aria-label={listLabel}>
      {list}
    </nav>
    <section class="pane-main">{main}</section>
    {inspector && <aside class="pane-inspector">{inspector}</aside>}
  </div>
);
