import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { useAction } from './use-action.ts';

interface ActionButtonProps {
  readonly kind?: 'primary';
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A button that makes a call, and shows above it why the call failed. */
export function ActionButton({ kind, run: call, children }: ActionButtonProps) {
  const { error, isBusy, run } = useAction();
  return (
    <>
      <ErrorNotice error={error.value} />
      <Button kind={kind} isBusy={isBusy.value} onClick={() => run(call())}>
        {children}
      </Button>
    </>
  );
}
