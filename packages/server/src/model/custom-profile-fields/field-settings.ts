import {
  badRequest,
  characterCount,
  foldCase,
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  type ProfileFieldData,
  type ProfileFieldType,
  profileFieldTypes,
} from '@bellhop/protocol';

import { externalAccounts } from './external-accounts.ts';
import type { FieldRow } from './queries.ts';

const MAX_IN_SUMMARY = 2;
const { SELECT, EXTERNAL_ACCOUNT, LONG_TEXT, USER } = profileFieldTypes;

interface FieldRequest {
  readonly name?: string | undefined;
  readonly hint?: string | undefined;
  readonly field_data?: ProfileFieldData | undefined;
  readonly display_in_profile_summary?: boolean | undefined;
  readonly required?: boolean | undefined;
  readonly editable_by_user?: boolean | undefined;
}
export type FieldSettings = Omit<FieldRow, 'id' | 'realm_id' | 'field_order' | 'field_type'>;

/**
 * The settings of a field after a request; absent parameters keep the value of `before`. Throws
 * BAD_REQUEST for a missing or used name, for data of another type, and for a third field in the
 * summary. `others` are the other fields of the realm.
 */
export function fieldSettings(
  type: ProfileFieldType,
  { before, request, others }: FieldChange,
): FieldSettings {
  const name = (request.name ?? before?.name ?? '').trim();
  if (name === '') throw badRequest('Label cannot be blank.');
  if (characterCount(name) > MAX_FIELD_NAME_LENGTH) throw tooLong('name', MAX_FIELD_NAME_LENGTH);
  if (others.some((other) => foldCase(other.name) === foldCase(name)))
    throw badRequest('A field with that label already exists.');
  const hint = (request.hint ?? before?.hint ?? '').trim();
  if (characterCount(hint) > MAX_FIELD_HINT_LENGTH) throw tooLong('hint', MAX_FIELD_HINT_LENGTH);
  const isShown = request.display_in_profile_summary ?? before?.display_in_profile_summary ?? false;
  if (isShown) requireMayBeInSummary(type, others);
  return {
    name,
    hint,
    field_data:
      request.field_data || !before
        ? fieldDataOf(type, request.field_data ?? {})
        : before.field_data,
    display_in_profile_summary: isShown,
    required: request.required ?? before?.required ?? false,
    editable_by_user: request.editable_by_user ?? before?.editable_by_user ?? true,
  };
}
interface FieldChange {
  readonly before?: FieldRow;
  readonly request: FieldRequest;
  readonly others: readonly FieldRow[];
}

const tooLong = (what: string, limit: number) =>
  badRequest(`${what} is too long (limit: ${limit} characters)`);

function requireMayBeInSummary(type: ProfileFieldType, others: readonly FieldRow[]): void {
  if (type === LONG_TEXT.id || type === USER.id)
    throw badRequest('Field type not supported for display in profile summary.');
  const shown = others.filter(({ display_in_profile_summary }) => display_in_profile_summary);
  if (shown.length >= MAX_IN_SUMMARY)
    throw badRequest(
      `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`,
    );
}

/** Data of a field as JSON text; empty for a type that has none. Throws BAD_REQUEST. */
function fieldDataOf(type: ProfileFieldType, data: ProfileFieldData): string {
  if (type === SELECT.id) return JSON.stringify(checkedOptions(data));
  if (type === EXTERNAL_ACCOUNT.id) return JSON.stringify(checkedAccount(data));
  return '';
}

function checkedOptions(data: ProfileFieldData): ProfileFieldData {
  const options = Object.entries(data);
  if (options.length === 0) throw badRequest('Field must have at least one choice.');
  const texts = new Set<string>();
  for (const [key, option] of options) {
    if (key.trim() === '') throw badRequest("'value' cannot be blank.");
    if (typeof option === 'string') throw badRequest(`field_data["${key}"] is not a dict`);
    if (option.text.trim() === '') throw badRequest('field_data["text"] cannot be blank.');
    if (texts.has(option.text)) throw badRequest('Field must not have duplicate choices.');
    texts.add(option.text);
  }
  return data;
}

function checkedAccount({ subtype, url_pattern }: ProfileFieldData): ProfileFieldData {
  if (typeof subtype !== 'string') throw badRequest('subtype key is missing from field_data');
  if (subtype !== 'custom') {
    if (!Object.hasOwn(externalAccounts, subtype))
      throw badRequest('Invalid external account type');
    return { subtype };
  }
  if (typeof url_pattern !== 'string')
    throw badRequest('Custom external account must define URL pattern');
  if (url_pattern.split('%(username)s').length !== 2)
    throw badRequest('URL pattern must contain %(username)s exactly once.');
  if (!isWebAddress(url_pattern.replace('%(username)s', 'username')))
    throw badRequest('field_data["url_pattern"] is not a URL');
  return { subtype, url_pattern };
}

/** Whether a text is an address that a profile may link to. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}
