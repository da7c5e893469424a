import type { InitialState } from '@bellhop/protocol';

import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { textOf } from '../text/text-of.ts';
import { fragmentOf } from './fragments.ts';
import { titleOf } from './names.ts';
import type { View } from './view.ts';

const MAX_NAME = 100;

interface SaveViewDialogProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly view: View;
  readonly onClose: () => void;
}

/** Asks for the name of a view. */
export const SaveViewDialog = ({ account, state, view, onClose }: SaveViewDialogProps) => (
  <FormDialog
    title="Save view"
    action="Save"
    send={(fields) =>
      account.client.navigationViews.add({
        fragment: fragmentOf(view, state),
        name: textOf(fields.get('name')).trim(),
        is_pinned: true,
      })
    }
    onSent={onClose}
    onClose={onClose}
  >
    <TextField
      label="Name"
      name="name"
      required
      autofocus
      maxLength={MAX_NAME}
      defaultValue={titleOf(state, view, account.user_id).slice(0, MAX_NAME)}
    />
  </FormDialog>
);
