import {
  type CustomProfileField,
  type InitialState,
  profileFieldTypes,
  type ProfileFieldData,
  type User,
} from '@bellhop/protocol';

/** External accounts whose address is given by a pattern of the organization. */
export const CUSTOM_ACCOUNT = 'custom';

/** The options of a list in their order, one per line. */
export const optionsText = (field: CustomProfileField | undefined): string =>
  field?.type === profileFieldTypes.SELECT.id
    ? optionsOf(field)
        .map(({ text }) => text)
        .join('\n')
    : '';

interface Option {
  readonly key: string;
  readonly text: string;
  readonly order: string;
}

function optionsOf({ field_data }: CustomProfileField): Option[] {
  const options = JSON.parse(field_data) as Record<string, Omit<Option, 'key'>>;
  return Object.entries(options)
    .map(([key, option]) => ({ key, ...option }))
    .toSorted((a, b) => Number(a.order) - Number(b.order));
}

/**
 * The options in the lines of a text. An existing option keeps its key, and with it the values of
 * the people who chose it.
 */
export function optionsIn(text: string, field: CustomProfileField | undefined): ProfileFieldData {
  const known = field ? optionsOf(field) : [];
  const taken = new Set(known.map(({ key }) => key));
  let next = 0;
  const newKey = () => {
    while (taken.has(String(next))) next++;
    taken.add(String(next));
    return String(next);
  };
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean);
  return Object.fromEntries(
    lines.map((line, at) => [
      known.find((option) => option.text === line)?.key ?? newKey(),
      { text: line, order: String(at + 1) },
    ]),
  );
}

/** The kind of an external account, and its pattern if the organization gives it. */
export function accountOf(field: CustomProfileField | undefined): {
  readonly subtype: string;
  readonly url_pattern?: string;
} {
  if (field?.type !== profileFieldTypes.EXTERNAL_ACCOUNT.id) return { subtype: CUSTOM_ACCOUNT };
  return JSON.parse(field.field_data) as { subtype: string; url_pattern?: string };
}

type Profiled = Pick<User, 'profile_data'>;

/** The values that a user has given to the fields of the organization, in the order of the fields. */
export function profileValues(
  state: Pick<InitialState, 'custom_profile_fields' | 'realm_users'>,
  { profile_data = {} }: Profiled,
): { readonly name: string; readonly text: string }[] {
  return (state.custom_profile_fields ?? []).flatMap((field) => {
    const value = profile_data[field.id]?.value;
    return value ? [{ name: field.name, text: valueText(state, field, value) }] : [];
  });
}

function valueText(
  { realm_users }: Pick<InitialState, 'realm_users'>,
  field: CustomProfileField,
  value: string,
): string {
  if (field.type === profileFieldTypes.SELECT.id)
    return optionsOf(field).find(({ key }) => key === value)?.text ?? value;
  if (field.type !== profileFieldTypes.USER.id) return value;
  const ids = JSON.parse(value) as number[];
  const users = realm_users?.filter(({ user_id }) => ids.includes(user_id)) ?? [];
  return users.map(({ full_name }) => full_name).join(', ');
}
