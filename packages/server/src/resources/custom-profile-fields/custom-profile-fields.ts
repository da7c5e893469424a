import {
  badRequest,
  type CustomProfileField,
  profileFieldTypes,
  type RealmId,
} from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { fieldSettings } from '../../model/custom-profile-fields/field-settings.ts';
import { optionsOf } from '../../model/custom-profile-fields/field-value.ts';
import * as queries from '../../model/custom-profile-fields/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { changeProfile, emitValue, fieldNotFound, removeFromProfile } from './change-profile.ts';

const handlers: Handlers<'customProfileFields'> = {
  list: async ({ realm, db }) => ({ custom_fields: await fieldsOf(db, realm.id) }),

  async add({ realm, params: { field_type, ...request }, db, emit }) {
    const others = await queries.ofRealm(db, realm.id);
    const settings = fieldSettings(field_type, { request, others });
    const id = await queries.insert(db, { realm_id: realm.id, field_type, ...settings });
    await requireRoom(db, 'custom_profile_field', { realm_id: realm.id });
    await emitFields({ db, emit }, realm);
    return { id };
  },

  async reorder({ realm, params: { order }, db, emit }) {
    const fields = await queries.ofRealm(db, realm.id);
    const ids = new Set(order);
    if (!fields.every(({ id }) => ids.has(id)) || ids.size !== fields.length)
      throw badRequest('Invalid order mapping.');
    await queries.reorder(db, realm.id, order);
    await emitFields({ db, emit }, realm);
    return {};
  },

  async update({ realm, params: { field_id, ...request }, db, emit }) {
    const fields = await queries.ofRealm(db, realm.id);
    const before = fields.find(({ id }) => id === field_id);
    if (!before) throw fieldNotFound(field_id);
    const others = fields.filter(({ id }) => id !== field_id);
    const settings = fieldSettings(before.field_type, { before, request, others });
    await queries.update(db, before, settings);
    await emitFields({ db, emit }, realm);
    if (before.field_type !== profileFieldTypes.SELECT.id) return {};
    // The profiles lose the values of removed options.
    const removed = await queries.removeOtherValues(db, before, optionsOf(settings));
    for (const id of removed) emitValue({ emit }, id, { id: field_id, value: null });
    return {};
  },

  async remove({ realm, params: { field_id: id }, db, emit }) {
    const fields = await queries.ofRealm(db, realm.id);
    const field = fields.find((one) => one.id === id);
    if (!field) throw fieldNotFound(id);
    await queries.remove(db, field);
    await emitFields({ db, emit }, realm);
    return {};
  },

  async setOwn({ user, realm, params: { data }, db, emit }) {
    await changeProfile({ db, emit }, { realm, caller: user, user }, data);
    return {};
  },

  async removeOwn({ user, realm, params: { data }, db, emit }) {
    await removeFromProfile({ db, emit }, { realm, caller: user, user }, data);
    return {};
  },
};

async function fieldsOf(db: Db, realm: RealmId): Promise<CustomProfileField[]> {
  const rows = await queries.ofRealm(db, realm);
  return rows.map(({ display_in_profile_summary, ...row }) => ({
    id: row.id,
    name: row.name,
    type: row.field_type,
    hint: row.hint,
    field_data: row.field_data,
    order: row.field_order,
    required: row.required,
    editable_by_user: row.editable_by_user,
    ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
  }));
}

async function emitFields(
  { db, emit }: Pick<Change<'custom_profile_fields'>, 'db' | 'emit'>,
  { id }: Realm,
): Promise<void> {
  const fields = await fieldsOf(db, id);
  emit({ type: 'custom_profile_fields', fields }, EVERYBODY);
}

export const customProfileFields: Resource<'customProfileFields'> = {
  handlers,
  state: {
    custom_profile_fields: async ({ db, realm }) => ({
      custom_profile_fields: await fieldsOf(db, realm.id),
      custom_profile_field_types: profileFieldTypes,
    }),
  },
};
