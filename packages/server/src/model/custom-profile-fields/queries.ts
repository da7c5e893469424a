import type {
  CustomProfileFieldId,
  ProfileData,
  RealmId,
  UserId,
  ProfileFieldType,
} from '@bellhop/protocol';
import { type Insertable, type Selectable, sql, type Updateable, type Generated } from 'kysely';
import type { z } from 'zod';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    custom_profile_field: {
      id: Generated<CustomProfileFieldId>;
      realm_id: RealmId;
      name: string;
      hint: string;
      field_type: ProfileFieldType;
      /** JSON text, or empty. */
      field_data: string;
      field_order: number;
      display_in_profile_summary: boolean;
      required: boolean;
      editable_by_user: boolean;
    };
    custom_profile_value: {
      realm_id: RealmId;
      field_id: CustomProfileFieldId;
      user_id: UserId;
      /** For the type users: JSON text with a list of IDs. */
      value: string;
      /** HTML, of the types of text. */
      rendered_value: string | null;
    };
  }
}

export type FieldRow = Selectable<Tables['custom_profile_field']>;
type Profile = z.output<typeof ProfileData>;

/** The fields of a realm in their order. */
export const ofRealm = (db: Db, realm: RealmId): Promise<FieldRow[]> =>
  db
    .selectFrom('custom_profile_field')
    .selectAll()
    .where('realm_id', '=', realm)
    .orderBy('field_order')
    .orderBy('id')
    .execute();

/** Adds a field behind the others. */
export async function insert(
  tx: Tx,
  row: Omit<Insertable<Tables['custom_profile_field']>, 'field_order'>,
): Promise<CustomProfileFieldId> {
  const { field_order } = await tx
    .selectFrom('custom_profile_field')
    .select(sql<number>`coalesce(max(field_order), 0) + 1`.as('field_order'))
    .where('realm_id', '=', row.realm_id)
    .executeTakeFirstOrThrow();
  const { id } = await tx
    .insertInto('custom_profile_field')
    .values({ ...row, field_order })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function update(
  tx: Tx,
  { id, realm_id }: Pick<FieldRow, 'id' | 'realm_id'>,
  changes: Updateable<Tables['custom_profile_field']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx
    .updateTable('custom_profile_field')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

export async function reorder(
  tx: Tx,
  realm: RealmId,
  ids: readonly CustomProfileFieldId[],
): Promise<void> {
  await sql`update custom_profile_field f set field_order = o.place
    from unnest(${ids}::bigint[]) with ordinality o (id, place)
    where f.realm_id = ${realm} and f.id = o.id`.execute(tx);
}

/** Removes a field with its values. */
export async function remove(
  tx: Tx,
  { id, realm_id }: Pick<FieldRow, 'id' | 'realm_id'>,
): Promise<void> {
  await tx
    .deleteFrom('custom_profile_field')
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

export async function setValue(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { field_id, ...set }: Pick<FieldValue, 'field_id' | 'value' | 'rendered_value'>,
): Promise<void> {
  await tx
    .insertInto('custom_profile_value')
    .values({ realm_id, user_id: id, field_id, ...set })
    .onConflict((same) => same.columns(['realm_id', 'user_id', 'field_id']).doUpdateSet(set))
    .execute();
}
type FieldValue = Selectable<Tables['custom_profile_value']>;

/** False if the user has no value. */
export const removeValue = (
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  field_id: CustomProfileFieldId,
): Promise<boolean> =>
  removesRow(
    tx
      .deleteFrom('custom_profile_value')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('field_id', '=', field_id),
  );

/** Removes the values of a field other than these. Returns the users who had one. */
export async function removeOtherValues(
  tx: Tx,
  { id, realm_id }: Pick<FieldRow, 'id' | 'realm_id'>,
  values: readonly string[],
): Promise<UserId[]> {
  const removed = await tx
    .deleteFrom('custom_profile_value')
    .where('realm_id', '=', realm_id)
    .where('field_id', '=', id)
    .where(sql<boolean>`value <> all(${values}::text[])`)
    .returning('user_id')
    .execute();
  return removed.map(({ user_id }) => user_id);
}

/** The values of users by field: of all users of the realm, or of these. */
export async function profiles(
  db: Db,
  realm: RealmId,
  ids?: readonly UserId[],
): Promise<Map<UserId, Profile>> {
  const all = db
    .selectFrom('custom_profile_value')
    .select(['user_id', 'field_id', 'value', 'rendered_value'])
    .where('realm_id', '=', realm)
    .orderBy('field_id');
  const rows = await (
    ids ? all.where(sql<boolean>`user_id = any(${ids}::bigint[])`) : all
  ).execute();
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byUser].map(([id, values]) => [id, profileOf(values)]));
}

const profileOf = (values: readonly Omit<FieldValue, 'realm_id' | 'user_id'>[]): Profile =>
  Object.fromEntries(
    values.map(({ field_id, value, rendered_value }) => [
      String(field_id),
      { value, ...(rendered_value === null ? {} : { rendered_value }) },
    ]),
  );
