import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { Button, IconButton } from './button.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

interface OpenerProps {
  readonly label: string;
  readonly icon?: IconName | undefined;
  /** `icon`: a small button that shows its icon only. */
  readonly kind?: 'primary' | 'danger' | 'icon' | undefined;
}
type DialogButtonProps = OpenerProps & {
  /** Gets the function that closes the dialog. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a dialog. */
export function DialogButton({ label, icon, kind, children }: DialogButtonProps) {
  const isOpen = useSignal(false);
  const open = () => (isOpen.value = true);
  return (
    <>
      {kind === 'icon' && icon ? (
        <IconButton icon={icon} label={label} onClick={open} />
      ) : (
        <Button kind={kind === 'icon' ? 'plain' : kind} icon={icon} onClick={open}>
          {label}
        </Button>
      )}
      {isOpen.value && children(() => (isOpen.value = false))}
    </>
  );
}

type ConfirmButtonProps = OpenerProps &
  Omit<ConfirmDialogProps, 'action' | 'onClose' | 'kind'> & {
    /** The label of the button in the dialog, if it differs. */
    readonly action?: string;
    /** The kind of that button. Default: danger. */
    readonly actionKind?: 'primary';
    readonly onClose?: () => void;
  };

/** A button that asks before it does something that cannot be undone. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { label, kind, action = label, actionKind = 'danger', onClose, ...asked } = props;
  return (
    <DialogButton label={label} kind={kind} icon={asked.icon}>
      {(close) => (
        <ConfirmDialog
          {...asked}
          action={action}
          kind={actionKind}
          onClose={() => {
            close();
            onClose?.();
          }}
        />
      )}
    </DialogButton>
  );
};
