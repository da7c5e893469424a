import { z } from 'zod';

import { Markdown, Name } from '../values/fields.ts';
import { CustomProfileFieldId } from '../values/ids.ts';
import {
  limitedMap,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WORD_LENGTH,
} from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { RealmUserEvent } from './users/user-events.ts';
import type { UserState } from './users/user-state.ts';

export const MAX_FIELD_NAME_LENGTH = 40;
export const MAX_FIELD_HINT_LENGTH = 80;
/** The most fields of a realm, and the most options of a list. */
export const MAX_PROFILE_FIELDS = 200;

/** The types of fields: the ID of each, and its name for people. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
  SELECT: { id: 3, name: 'List of options' },
  USER: { id: 6, name: 'Users' },
} as const;

const FieldType = z.literal([1, 2, 3, 4, 5, 6, 7, 8]).meta({
  description:
    '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns',
});
export type ProfileFieldType = z.output<typeof FieldType>;

/** A property that the profiles of users have beside their name. */
export const CustomProfileField = z
  .object({
    id: CustomProfileFieldId,
    name: Name,
    type: FieldType,
    hint: z.string(),
    field_data: z.string().meta({
      description:
        'JSON text. Of a list of options: `{key: {text, order}}`; of an external account: `{subtype, url_pattern}`. Else empty',
    }),
    order: z.int(),
    required: z.boolean(),
    editable_by_user: z.boolean(),
    display_in_profile_summary: z.boolean().optional(),
  })
  .meta({ id: 'CustomProfileField' });
export type CustomProfileField = z.output<typeof CustomProfileField>;

/**
 * The fields of the realm changed: all of them in their order. A field that is missing was removed
 * with its values.
 */
export const CustomProfileFieldsEvent = z.object({
  type: z.literal('custom_profile_fields'),
  fields: z.array(CustomProfileField),
});

const state = {
  custom_profile_fields: section({
    custom_profile_fields: z.array(CustomProfileField),
    custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: Name })),
  }),
};
type FieldsState = StateOf<typeof state> & UserState;

function applyFields(
  known: FieldsState,
  { fields }: z.output<typeof CustomProfileFieldsEvent>,
): FieldsState {
  const ids = new Set(fields.map(({ id }) => String(id)));
  const withoutRemoved = (users: NonNullable<UserState['realm_users']>) =>
    users.map((user) => {
      if (!user.profile_data) return user;
      const kept = Object.entries(user.profile_data).filter(([id]) => ids.has(id));
      return { ...user, profile_data: Object.fromEntries(kept) };
    });
  return changed(
    changed(
      changed(known, 'custom_profile_fields', () => fields),
      'realm_users',
      withoutRemoved,
    ),
    'realm_non_active_users',
    withoutRemoved,
  );
}

const Option = z.object({
  text: Markdown.max(MAX_NAME_LENGTH),
  order: z.string().max(MAX_WORD_LENGTH),
});
const FieldData = limitedMap(
  z.string().max(MAX_WORD_LENGTH),
  z.union([Option, z.string().max(MAX_TEXT_LENGTH)]),
  MAX_PROFILE_FIELDS,
).meta({
  description:
    'Of a list of options: `{key: {text, order}}`. Of an external account: `{subtype}`, or `{subtype: "custom", url_pattern}` with `%(username)s` in the pattern',
});
export type ProfileFieldData = z.output<typeof FieldData>;

/** The value of a field for a user: IDs for the type `users`, else text. Null or empty: no value. */
const ProfileValue = z.object({
  id: CustomProfileFieldId,
  value: z
    .union([z.string().max(MAX_TEXT_LENGTH), z.array(z.int().nonnegative()).max(MAX_LIST_LENGTH)])
    .nullable(),
});
export const ProfileValues = z.array(ProfileValue).max(MAX_PROFILE_FIELDS);
export type ProfileValues = z.output<typeof ProfileValues>;

const name = z.string().max(MAX_NAME_LENGTH);
const fieldParams = {
  name: name.optional().meta({ description: `At most ${MAX_FIELD_NAME_LENGTH} characters` }),
  hint: name.optional().meta({ description: `At most ${MAX_FIELD_HINT_LENGTH} characters` }),
  field_data: FieldData.optional(),
  display_in_profile_summary: z.boolean().optional().meta({
    description: 'For at most two fields, and for no long text and no users',
  }),
  required: z.boolean().optional(),
  editable_by_user: z.boolean().optional().meta({
    description: 'Whether people set their own value; administrators always may. Default true',
  }),
};
const emits = [CustomProfileFieldsEvent];
const field_id = CustomProfileFieldId;

export const customProfileFields = resource({
  endpoints: {
    list: endpoint('GET /realm/profile_fields', {
      summary: 'Get the custom profile fields',
      access: 'user',
      result: { custom_fields: z.array(CustomProfileField) },
    }),

    add: endpoint('POST /realm/profile_fields', {
      summary: 'Add a custom profile field',
      access: 'admin',
      params: { field_type: FieldType, ...fieldParams },
      result: { id: CustomProfileFieldId },
      emits,
    }),

    reorder: endpoint('PATCH /realm/profile_fields', {
      summary: 'Reorder the custom profile fields',
      access: 'admin',
      params: { order: z.array(CustomProfileFieldId).max(MAX_PROFILE_FIELDS) },
      emits,
    }),

    update: endpoint('PATCH /realm/profile_fields/{field_id}', {
      summary: 'Update a custom profile field',
      description: 'Users who had chosen an option that is gone have no value any more.',
      access: 'admin',
      params: { field_id, ...fieldParams },
      emits: [CustomProfileFieldsEvent, RealmUserEvent],
    }),

    remove: endpoint('DELETE /realm/profile_fields/{field_id}', {
      summary: 'Remove a custom profile field and its values',
      access: 'admin',
      params: { field_id },
      emits,
    }),

    setOwn: endpoint('PATCH /users/me/profile_data', {
      summary: 'Set values of your own profile',
      access: 'human',
      locks: 'realm',
      params: { data: ProfileValues },
      emits: [RealmUserEvent],
    }),

    removeOwn: endpoint('DELETE /users/me/profile_data', {
      summary: 'Remove values of your own profile',
      access: 'human',
      params: { data: z.array(CustomProfileFieldId).max(MAX_PROFILE_FIELDS) },
      emits: [RealmUserEvent],
    }),
  },
  events: [event(CustomProfileFieldsEvent, applyFields)],
  state,
});
