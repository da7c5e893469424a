import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { useAction } from './use-action.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** A description of the consequences. */
  readonly children: ComponentChildren;
  /** The button that does it. */
  readonly action: string;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger';
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone, does it, and closes. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, icon, kind = 'danger', run: call, onClose } = props;
  const { error, isBusy, run } = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={kind}
          icon={icon}
          isBusy={isBusy.value}
          onClick={() => run(call(), () => onClose())}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
