import {
  type CustomProfileField,
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  profileFieldTypes,
  type ProfileFieldType,
} from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Field, SelectField, TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { CheckField } from '../frame/check-list.tsx';
import type { PageProps } from '../page.ts';
import { accountOf, CUSTOM_ACCOUNT, optionsIn, optionsText } from './profile-field-data.ts';

interface ProfileFieldDialogProps extends Pick<PageProps, 'account' | 'state'> {
  /** Undefined: a new one. */
  readonly field: CustomProfileField | undefined;
  readonly onClose: () => void;
}
const { LONG_TEXT, SELECT, USER, EXTERNAL_ACCOUNT } = profileFieldTypes;

/** Adds a custom profile field, or changes one; its type stays. */
export function ProfileFieldDialog({ account, state, field, onClose }: ProfileFieldDialogProps) {
  const { customProfileFields } = account.client;
  const type = useSignal<ProfileFieldType>(field?.type ?? profileFieldTypes.SHORT_TEXT.id);
  const save = async (fields: FormData) => {
    const text = (name: string) => textOf(fields.get(name)).trim();
    const changes = {
      name: text('name'),
      hint: text('hint'),
      required: fields.get('required') !== null,
      editable_by_user: fields.get('editable') !== null,
      display_in_profile_summary: fields.get('summary') !== null,
      ...dataOf(type.peek(), text, field),
    };
    await (field
      ? customProfileFields.update({ field_id: field.id, ...changes })
      : customProfileFields.add({ field_type: type.peek(), ...changes }));
  };
  return (
    <FormDialog
      title={field ? `Edit ${field.name}` : 'New field'}
      action={field ? 'Save' : 'Add'}
      send={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        maxLength={MAX_FIELD_NAME_LENGTH}
        required
        defaultValue={field?.name}
      />
      <SelectField
        label="Type"
        value={type.value}
        disabled={field !== undefined}
        onChoose={(id) => (type.value = Number(id) as ProfileFieldType)}
        options={Object.values(profileFieldTypes).map(({ id, name }) => ({
          value: id,
          label: name,
        }))}
      />
      {type.value === SELECT.id && (
        <Field
          label="Options"
          hint="One per line. Removing an option clears it for everyone who chose it."
        >
          <textarea
            class="input"
            name="options"
            rows={4}
            required
            defaultValue={optionsText(field)}
          />
        </Field>
      )}
      {type.value === EXTERNAL_ACCOUNT.id && <ExternalAccount state={state} field={field} />}
      <TextField
        label="Hint"
        name="hint"
        maxLength={MAX_FIELD_HINT_LENGTH}
        defaultValue={field?.hint}
      />
      <CheckField label="Required" name="required" defaultChecked={field?.required ?? false} />
      <CheckField
        label="Users can edit this field"
        name="editable"
        defaultChecked={field?.editable_by_user ?? true}
      />
      {type.value !== LONG_TEXT.id && type.value !== USER.id && (
        <CheckField
          label="Display on user card"
          name="summary"
          defaultChecked={field?.display_in_profile_summary ?? false}
        />
      )}
    </FormDialog>
  );
}

function ExternalAccount({ state, field }: Pick<ProfileFieldDialogProps, 'state' | 'field'>) {
  const known = accountOf(field);
  const subtype = useSignal(known.subtype);
  return (
    <>
      <SelectField
        label="External account type"
        name="subtype"
        value={subtype.value}
        onChoose={(chosen) => (subtype.value = chosen)}
        options={[
          ...Object.entries(state.realm_default_external_accounts ?? {}).map(([id, { text }]) => ({
            value: id,
            label: text,
          })),
          { value: CUSTOM_ACCOUNT, label: 'Custom' },
        ]}
      />
      {subtype.value === CUSTOM_ACCOUNT && (
        <TextField
          label="URL pattern"
          hint="Use %(username)s for the username: https://example.com/%(username)s"
          isCode
          name="pattern"
          maxLength={1024}
          required
          defaultValue={known.url_pattern ?? ''}
        />
      )}
    </>
  );
}

function dataOf(
  type: ProfileFieldType,
  text: (name: string) => string,
  field: CustomProfileField | undefined,
) {
  if (type === SELECT.id) return { field_data: optionsIn(text('options'), field) };
  if (type !== EXTERNAL_ACCOUNT.id) return {};
  const subtype = text('subtype');
  const url_pattern = text('pattern');
  return { field_data: subtype === CUSTOM_ACCOUNT ? { subtype, url_pattern } : { subtype } };
}
