import { Batcher, type Database } from '@bellhop/postgres';
import { badRequest } from '@bellhop/protocol/bouncer';

import type { BouncerTables } from '../storage/tables.ts';
import {
  devicesWithTokens,
  keyOf,
  keyOfSaved,
  type NewDevice,
  saveDevices,
} from './save-devices.ts';
import { bindRegistrations, type UsedRegistration, useOf } from './use-registration.ts';

/** A registration that was opened and may be stored. */
interface AcceptedRegistration extends NewDevice, UsedRegistration {}

interface SavedRegistration {
  readonly deviceId: number;
  /** The other living devices of the realm that have the token. */
  readonly sameTokenDeviceIds: readonly number[];
}

export type RegistrationBatcher = Batcher<AcceptedRegistration, SavedRegistration>;

/**
 * Stores registrations. Rejects with BAD_REQUEST one that was used before with another name, or of a token that
 * was registered as another kind since.
 */
export const registrationBatcher = (database: Database<BouncerTables>): RegistrationBatcher =>
  new Batcher(async (registrations) => {
    const saved = new Map<AcceptedRegistration, SavedRegistration>();
    for (const distinct of withoutRepetitions(registrations)) {
      const results = await save(database, distinct);
      for (const [index, registration] of distinct.entries()) {
        const result = results[index];
        if (result) saved.set(registration, result);
      }
    }
    return registrations.map((registration): PromiseSettledResult<SavedRegistration> => {
      const value = saved.get(registration);
      return value ? { status: 'fulfilled', value } : { status: 'rejected', reason: unusable() };
    });
  });

const unusable = () =>
  badRequest(
    'Invalid encrypted_push_registration: another account or organization has registered with it, or its token is registered as another token_kind by one that is not older; make a new one for each',
  );

/**
 * Stores registrations of different devices in one transaction, which costs one round trip and one flush to
 * disk. Undefined for one that is rejected.
 */
async function save(
  database: Database<BouncerTables>,
  registrations: readonly AcceptedRegistration[],
): Promise<(SavedRegistration | undefined)[]> {
  const used = registrations.map((one) => ({ ...one, use: useOf(one) }));
  const { devices, holders } = await database.transaction(async (tx) => {
    tx.last(
      bindRegistrations(
        tx,
        used.map(({ use, at }) => ({ ...use, at })),
      ),
    );
    const namedBy = (kind: 'tokenId' | 'pushAccountId') => {
      const own = used.filter(({ name }) => name[kind] !== undefined);
      return own.length > 0 ? [tx.last(saveDevices(tx, kind, own))] : [];
    };
    return {
      devices: [...namedBy('pushAccountId'), ...namedBy('tokenId')],
      holders: tx.last(devicesWithTokens(tx, used)),
    };
  });
  const saved = devices.flatMap(({ rows }) => rows);
  const idOf = new Map(saved.map((row) => [keyOfSaved(row), row.device_id]));
  return registrations.map((registration, index) => {
    const deviceId = idOf.get(keyOf(registration));
    if (deviceId === undefined) return undefined;
    const ids = holders.rows[index]?.device_ids ?? [];
    return { deviceId, sameTokenDeviceIds: ids.filter((id) => id !== deviceId) };
  });
}

/** One statement cannot write a row twice: repetitions of a device come in a later group. */
function withoutRepetitions<D extends NewDevice>(devices: readonly D[]): D[][] {
  const groups: Map<string, D>[] = [];
  for (const device of devices) {
    const key = keyOf(device);
    const group = groups.find((one) => !one.has(key));
    if (group) group.set(key, device);
    else groups.push(new Map([[key, device]]));
  }
  return groups.map((group) => [...group.values()]);
}
