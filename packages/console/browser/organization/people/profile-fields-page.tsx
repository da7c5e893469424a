import type { CustomProfileField } from '@bellhop/protocol';

import { ConfirmButton, DialogButton } from '../../controls/dialog-button.tsx';
import { useAction } from '../../controls/use-action.ts';
import { ListPage } from '../frame/list-page.tsx';
import { MoveButtons } from '../frame/move-buttons.tsx';
import type { PageProps } from '../page.ts';
import { ProfileFieldDialog } from './profile-field-dialog.tsx';

/** The custom profile fields in their order, which administrators add, change and remove. */
export function ProfileFieldsPage(props: PageProps) {
  const { account, state, rights } = props;
  const { customProfileFields } = account.client;
  const action = useAction();
  const fields = (state.custom_profile_fields ?? []).toSorted((a, b) => a.order - b.order);
  const names = new Map(
    Object.values(state.custom_profile_field_types ?? {}).map(({ id, name }) => [id, name]),
  );
  const buttons = (field: CustomProfileField) => (
    <span class="row">
      <MoveButtons
        row={field}
        rows={fields}
        all={fields}
        action={action}
        reorder={(order) => customProfileFields.reorder({ order })}
      />
      <DialogButton kind="icon" icon="pencil" label={`Edit ${field.name}`}>
        {(close) => <ProfileFieldDialog {...props} field={field} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        kind="icon"
        icon="trash"
        label={`Remove ${field.name}`}
        title={`Remove ${field.name}?`}
        action="Remove"
        run={() => customProfileFields.remove({ field_id: field.id })}
      >
        Its values are deleted for all users.
      </ConfirmButton>
    </span>
  );
  return (
    <ListPage
      {...props}
      add={
        rights.isAdmin && {
          label: 'New field',
          dialog: (close) => <ProfileFieldDialog {...props} field={undefined} onClose={close} />,
        }
      }
      error={action.error.value}
      rows={fields}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Type', cell: ({ type }) => names.get(type) ?? type },
        { title: 'Hint', isWide: true, cell: ({ hint }) => hint },
        { title: 'Attributes', isWide: true, cell: marksOf },
      ]}
      actions={rights.isAdmin && buttons}
    />
  );
}

const marksOf = (field: CustomProfileField): string =>
  [
    ...(field.required ? ['Required'] : []),
    ...(field.display_in_profile_summary ? ['Display on user card'] : []),
    ...(field.editable_by_user ? [] : ['set by administrators']),
  ].join(', ');
