import type { CustomProfileField } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { MoveButtons } from '../frame/move-buttons.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';
import { ProfileFieldDialog } from './profile-field-dialog.tsx';

/** The custom profile fields in their order, which administrators add, change and remove. */
export function ProfileFieldsPage({ account, state, rights }: PageProps) {
  const { customProfileFields } = account.client;
  const open = useSignal<CustomProfileField | 'new' | undefined>(undefined);
  const removing = useSignal<CustomProfileField | undefined>(undefined);
  const action = useAction();
  const fields = (state.custom_profile_fields ?? []).toSorted((a, b) => a.order - b.order);
  const names = new Map(
    Object.values(state.custom_profile_field_types ?? {}).map(({ id, name }) => [id, name]),
  );
  const removed = removing.value;
  const buttons = (field: CustomProfileField) => (
    <span class="row">
      <MoveButtons
        row={field}
        rows={fields}
        all={fields}
        action={action}
        reorder={(order) => customProfileFields.reorder({ order })}
      />
      <IconButton
        icon="pencil"
        label={strings.editNamed(field.name)}
        onClick={() => (open.value = field)}
      />
      <IconButton
        icon="trash"
        label={strings.removeNamed(field.name)}
        onClick={() => (removing.value = field)}
      />
    </span>
  );
  return (
    <PageFrame
      title={strings.profileFields}
      text={strings.profileFieldsText}
      actions={
        rights.isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => (open.value = 'new')}>
            {strings.newField}
          </Button>
        )
      }
      empty={
        fields.length === 0 && { icon: 'user', title: strings.noFields, text: strings.noFieldsText }
      }
    >
      <ErrorNotice error={action.error.value} />
      {fields.length > 0 && (
        <Table
          label={strings.profileFields}
          rows={fields}
          idOf={({ id }) => id}
          columns={[
            { title: strings.name, cell: ({ name }) => name },
            { title: strings.fieldType, cell: ({ type }) => names.get(type) ?? type },
            { title: strings.fieldHint, isWide: true, cell: ({ hint }) => hint },
            { title: strings.fieldMarks, isWide: true, cell: marksOf },
          ]}
          {...(rights.isAdmin ? { actions: buttons } : {})}
        />
      )}
      {open.value !== undefined && (
        <ProfileFieldDialog
          account={account}
          state={state}
          field={open.value === 'new' ? undefined : open.value}
          onClose={() => (open.value = undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={strings.removeFieldTitle(removed.name)}
          action={strings.remove}
          icon="trash"
          run={() => customProfileFields.remove({ field_id: removed.id })}
          onClose={() => (removing.value = undefined)}
        >
          {strings.removeFieldText}
        </ConfirmDialog>
      )}
    </PageFrame>
  );
}

const marksOf = (field: CustomProfileField): string =>
  [
    ...(field.required ? [strings.required] : []),
    ...(field.display_in_profile_summary ? [strings.inSummary] : []),
    ...(field.editable_by_user ? [] : [strings.byAdmins]),
  ].join(', ');
