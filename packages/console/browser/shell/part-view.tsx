import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href } from '../navigation/location.ts';
import type { Part, PartProps } from '../parts/part.ts';
import { Boundary } from './boundary.tsx';
import { strings } from './strings.ts';

const loaded = new Map<string, ComponentType<PartProps>>();

interface PartViewProps {
  readonly part: Part | undefined;
  readonly account: LiveAccount | undefined;
}

/** Loads the code of a part and shows it when the state of the account is there. */
export function PartView({ part, account }: PartViewProps) {
  const version = useSignal(0);
  const error = useSignal<unknown>(undefined);
  void version.value;
  const load = () => {
    if (!part || loaded.has(part.id)) return;
    error.value = undefined;
    part.load().then(
      (view) => {
        loaded.set(part.id, view);
        version.value++;
      },
      (problem: unknown) => (error.value = problem),
    );
  };
  useEffect(load, [part]);
  if (!part)
    return (
      <Empty icon="search" title={strings.notFound}>
        <a class="button" href={href(['chat'])}>
          {strings.backToChat}
        </a>
      </Empty>
    );
  if (error.value !== undefined) return <ErrorNotice error={error.value} onRetry={load} />;
  const View = loaded.get(part.id);
  if (!View || !account?.state.value) return <Loading />;
  return (
    <Boundary key={part.id}>
      <View account={account} />
    </Boundary>
  );
}

/** Appears after 300 ms, so that a fast answer does not flicker. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="spinner" />
    {strings.loading}
  </div>
);
