import { DialogButton } from '../../controls/dialog-button.tsx';
import { describeSetting } from './describe-setting.ts';
import { PermissionDialog } from './permission-dialog.tsx';
import type { PermissionFieldProps } from './permission-field-props.ts';

/** A permission: which groups and people have it, and a button to change that. */
export function PermissionField(props: PermissionFieldProps) {
  const { state, label, value, save } = props;
  return (
    <div class="org-permission">
      <span class="grow">
        <strong>{label}</strong>
        <span>{describeSetting(state, value)}</span>
      </span>
      {save && (
        <DialogButton kind="icon" icon="pencil" label={`Change: ${label}`}>
          {(close) => <PermissionDialog {...props} save={save} onClose={close} />}
        </DialogButton>
      )}
    </div>
  );
}
