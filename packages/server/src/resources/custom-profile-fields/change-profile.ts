import {
  badRequest,
  type CustomProfileFieldId,
  type ProfileValues,
  roles,
  type UserId,
} from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { fieldValue } from '../../model/custom-profile-fields/field-value.ts';
import * as queries from '../../model/custom-profile-fields/queries.ts';
import type { FieldRow } from '../../model/custom-profile-fields/queries.ts';

type ProfileChange = Pick<Change<'realm_user'>, 'db' | 'emit'>;
interface ProfileOwner {
  readonly realm: Realm;
  /** The user who changes the profile. */
  readonly caller: User;
  readonly user: User;
}

/** Sets values of a user's profile; null, an empty text and an empty list remove one. Throws BAD_REQUEST. */
export async function changeProfile(
  change: ProfileChange,
  owner: ProfileOwner,
  values: ProfileValues,
): Promise<void> {
  const fields = await queries.ofRealm(change.db, owner.realm.id);
  for (const { id, value } of values) {
    const field = fieldToChange(fields, owner, id);
    if (value === null || value.length === 0) await removeValue(change, owner, field);
    else {
      const stored = await fieldValue({ db: change.db, realm: owner.realm }, field, value);
      await queries.setValue(change.db, owner.user, { field_id: id, ...stored });
      const { rendered_value } = stored;
      emitValue(change, owner.user.id, {
        id,
        value: stored.value,
        ...(rendered_value === null ? {} : { rendered_value }),
      });
    }
  }
}

/** Removes values of a user's profile. Throws BAD_REQUEST. */
export async function removeFromProfile(
  change: ProfileChange,
  owner: ProfileOwner,
  ids: readonly CustomProfileFieldId[],
): Promise<void> {
  const fields = await queries.ofRealm(change.db, owner.realm.id);
  for (const id of ids) await removeValue(change, owner, fieldToChange(fields, owner, id));
}

function fieldToChange(
  fields: readonly FieldRow[],
  { caller }: ProfileOwner,
  id: CustomProfileFieldId,
): FieldRow {
  const field = fields.find((one) => one.id === id);
  if (!field) throw fieldNotFound(id);
  if (!field.editable_by_user && caller.role > roles.admin)
    throw badRequest(
      'You are not allowed to change this field. Contact an administrator to update it.',
    );
  return field;
}

export const fieldNotFound = (id: CustomProfileFieldId) => badRequest(`Field id ${id} not found.`);

async function removeValue(
  change: ProfileChange,
  owner: ProfileOwner,
  { id }: FieldRow,
): Promise<void> {
  if (await queries.removeValue(change.db, owner.user, id))
    emitValue(change, owner.user.id, { id, value: null });
}

interface ShownValue {
  readonly id: CustomProfileFieldId;
  readonly value: string | null;
  readonly rendered_value?: string;
}

/** Emits a value of a user's profile. */
export function emitValue(
  { emit }: Pick<ProfileChange, 'emit'>,
  user_id: UserId,
  custom_profile_field: ShownValue,
): void {
  emit({ type: 'realm_user', op: 'update', person: { user_id, custom_profile_field } }, EVERYBODY);
}
