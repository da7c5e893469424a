import { useSignal } from '@preact/signals';

import { IconButton } from '../../controls/button.tsx';
import { describeSetting } from './describe-setting.ts';
import { PermissionDialog } from './permission-dialog.tsx';
import type { PermissionFieldProps } from './permission-field-props.ts';
import { strings } from './strings.ts';

/** A permission: which groups and people have it, and a button to change that. */
export function PermissionField(props: PermissionFieldProps) {
  const { state, label, value, save } = props;
  const isOpen = useSignal(false);
  return (
    <div class="org-permission">
      <span class="grow">
        <strong>{label}</strong>
        <span>{describeSetting(state, value)}</span>
      </span>
      {save && (
        <IconButton
          icon="pencil"
          label={strings.change(label)}
          onClick={() => (isOpen.value = true)}
        />
      )}
      {save && isOpen.value && (
        <PermissionDialog {...props} save={save} onClose={() => (isOpen.value = false)} />
      )}
    </div>
  );
}
