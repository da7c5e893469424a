import {
  type CustomProfileField,
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  profileFieldTypes,
  type ProfileFieldType,
} from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';
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
      title={field ? strings.editNamed(field.name) : strings.newField}
      action={field ? strings.save : strings.add}
      send={save}
      onSent={onClose}
      onClose={onClose}
    >
      <label class="field">
        {strings.name}
        <input
          class="input"
          name="name"
          maxLength={MAX_FIELD_NAME_LENGTH}
          required
          defaultValue={field?.name}
        />
      </label>
      <label class="field">
        {strings.fieldType}
        <select
          class="input"
          value={type.value}
          disabled={field !== undefined}
          onChange={({ currentTarget }) =>
            (type.value = Number(currentTarget.value) as ProfileFieldType)
          }
        >
          {Object.values(profileFieldTypes).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {type.value === SELECT.id && (
        <label class="field">
          {strings.fieldOptions}
          <textarea
            class="input"
            name="options"
            rows={4}
            required
            defaultValue={optionsText(field)}
          />
          <small>{strings.fieldOptionsHint}</small>
        </label>
      )}
      {type.value === EXTERNAL_ACCOUNT.id && <ExternalAccount state={state} field={field} />}
      <label class="field">
        {strings.fieldHint}
        <input
          class="input"
          name="hint"
          maxLength={MAX_FIELD_HINT_LENGTH}
          defaultValue={field?.hint}
        />
      </label>
      <label class="org-check">
        <input type="checkbox" name="required" defaultChecked={field?.required ?? false} />
        {strings.required}
      </label>
      <label class="org-check">
        <input type="checkbox" name="editable" defaultChecked={field?.editable_by_user ?? true} />
        {strings.editable}
      </label>
      {type.value !== LONG_TEXT.id && type.value !== USER.id && (
        <label class="org-check">
          <input
            type="checkbox"
            name="summary"
            defaultChecked={field?.display_in_profile_summary ?? false}
          />
          {strings.inSummary}
        </label>
      )}
    </FormDialog>
  );
}

function ExternalAccount({ state, field }: Pick<ProfileFieldDialogProps, 'state' | 'field'>) {
  const known = accountOf(field);
  const subtype = useSignal(known.subtype);
  return (
    <>
      <label class="field">
        {strings.accountKind}
        <select
          class="input"
          name="subtype"
          value={subtype.value}
          onChange={({ currentTarget }) => (subtype.value = currentTarget.value)}
        >
          {Object.entries(state.realm_default_external_accounts ?? {}).map(([id, { text }]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
          <option value={CUSTOM_ACCOUNT}>{strings.otherAccount}</option>
        </select>
      </label>
      {subtype.value === CUSTOM_ACCOUNT && (
        <label class="field">
          {strings.accountPattern}
          <input
            class="input mono"
            name="pattern"
            maxLength={1024}
            required
            defaultValue={known.url_pattern ?? ''}
          />
          <small>{strings.accountPatternHint}</small>
        </label>
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
