import { badRequest, characterCount, isDay, profileFieldTypes } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { renderMarkdown } from '../../markdown/render-markdown.ts';
import * as users from '../users/queries.ts';
import { isWebAddress } from './field-settings.ts';
import type { FieldRow } from './queries.ts';

const MAX_SHORT_LENGTH = 50;
const MAX_LONG_LENGTH = 500;
const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER } = profileFieldTypes;

interface StoredValue {
  readonly value: string;
  readonly rendered_value: string | null;
}

/** A value of a field as it is stored. Throws BAD_REQUEST if it does not fit the type of the field. */
export async function fieldValue(
  { db, realm }: { readonly db: Db; readonly realm: Pick<Realm, 'emoji'> },
  field: FieldRow,
  value: string | readonly number[],
): Promise<StoredValue> {
  const { name, field_type } = field;
  if (field_type === USER.id)
    return { value: await userIds(db, field, value), rendered_value: null };
  if (typeof value !== 'string') throw badRequest(`${name} is not a string`);
  const limit = field_type === LONG_TEXT.id ? MAX_LONG_LENGTH : MAX_SHORT_LENGTH;
  if (field_type === LINK.id) {
    if (!isWebAddress(value)) throw badRequest(`${name} is not a URL`);
  } else if (field_type === DATE.id) {
    if (!isDay(value)) throw badRequest(`${name} is not a date`);
  } else if (field_type === SELECT.id) {
    if (!optionsOf(field).includes(value))
      throw badRequest(`'${value}' is not a valid choice for '${name}'.`);
  } else if (characterCount(value) > limit)
    throw badRequest(`${name} is too long (limit: ${limit} characters)`);
  const isText = field_type === SHORT_TEXT.id || field_type === LONG_TEXT.id;
  const { emoji: customEmoji } = realm;
  return { value, rendered_value: isText ? renderMarkdown(value, { customEmoji }).html : null };
}

/** The keys of the options of a field. */
export const optionsOf = ({ field_data }: Pick<FieldRow, 'field_data'>): string[] =>
  Object.keys(JSON.parse(field_data) as object);

/** The IDs of active people as JSON text. Accepts a list, also as JSON text. */
async function userIds(
  db: Db,
  { realm_id, name }: FieldRow,
  value: string | readonly number[],
): Promise<string> {
  const ids = typeof value === 'string' ? parsedIds(value) : value;
  if (!ids) throw badRequest(`${name} is not a list of user IDs`);
  const found = new Map((await users.byIds(db, realm_id, ids)).map((user) => [user.id, user]));
  for (const id of ids) {
    const user = found.get(id as never);
    if (!user) throw badRequest(`Invalid user ID: ${id}`);
    if (!user.is_active) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.is_bot) throw badRequest(`User with ID ${id} is a bot`);
  }
  return JSON.stringify(ids);
}

function parsedIds(text: string): number[] | undefined {
  try {
    const ids: unknown = JSON.parse(text);
    return Array.isArray(ids) && ids.every(Number.isSafeInteger) ? (ids as number[]) : undefined;
  } catch {
    return undefined;
  }
}
