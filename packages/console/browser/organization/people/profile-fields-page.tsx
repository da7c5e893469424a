import type { CustomProfileField } from '@bellhop/protocol';

import { ConfirmButton, DialogButton } from '../../controls/dialog-button.tsx';
import { useAction } from '../../controls/use-action.ts';
import { ListPage } from '../frame/list-page.tsx';
import { MoveButtons } from '../frame/move-buttons.tsx';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';
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
      <DialogButton kind="icon" icon="pencil" label={strings.editNamed(field.name)}>
        {(close) => <ProfileFieldDialog {...props} field={field} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        kind="icon"
        icon="trash"
        label={strings.removeNamed(field.name)}
        title={strings.removeFieldTitle(field.name)}
        action={strings.remove}
        run={() => customProfileFields.remove({ field_id: field.id })}
      >
        {strings.removeFieldText}
      </ConfirmButton>
    </span>
  );
  return (
    <ListPage
      {...props}
      add={
        rights.isAdmin && {
          label: strings.newField,
          dialog: (close) => <ProfileFieldDialog {...props} field={undefined} onClose={close} />,
        }
      }
      error={action.error.value}
      rows={fields}
      keyOf={({ id }) => id}
      columns={[
        { title: strings.name, cell: ({ name }) => name },
        { title: strings.fieldType, cell: ({ type }) => names.get(type) ?? type },
        { title: strings.fieldHint, isWide: true, cell: ({ hint }) => hint },
        { title: strings.fieldMarks, isWide: true, cell: marksOf },
      ]}
      actions={rights.isAdmin && buttons}
    />
  );
}

const marksOf = (field: CustomProfileField): string =>
  [
    ...(field.required ? [strings.required] : []),
    ...(field.display_in_profile_summary ? [strings.inSummary] : []),
    ...(field.editable_by_user ? [] : [strings.byAdmins]),
  ].join(', ');
