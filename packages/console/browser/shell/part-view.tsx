import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { type Resource, resource } from '../loading/resource.ts';
import { href } from '../navigation/location.ts';
import type { Part, PartProps } from '../parts/part.ts';
import { Boundary } from './boundary.tsx';
import { loadCode, reloadPage } from './load-code.ts';

const views = new Map<Part, Resource<ComponentType<PartProps>>>();

const viewOf = (part: Part) => {
  const view = views.get(part) ?? resource(() => loadCode(part.load));
  views.set(part, view);
  return view;
};

interface PartViewProps {
  readonly part: Part | undefined;
  readonly account: LiveAccount | undefined;
}

/** Loads the code of a part and shows it when the state of the account is there. */
export function PartView({ part, account }: PartViewProps) {
  const view = part && viewOf(part);
  useEffect(() => {
    if (view && !view.value.peek()) void view.refresh();
  }, [view]);
  if (!view)
    return (
      <Empty icon="search" title="Page not found">
        <a class="button" href={href(['chat'])}>
          Go to Chat
        </a>
      </Empty>
    );
  if (view.error.value !== undefined)
    return <ErrorNotice error={view.error.value} onRetry={reloadPage} />;
  const View = view.value.value;
  if (!View || !account?.state.value) return <Loading />;
  return (
    <Boundary key={part?.id}>
      <View account={account} />
    </Boundary>
  );
}

/** Appears after 300 ms, so that a fast answer does not flicker. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="spinner" />
    Loading
  </div>
);
