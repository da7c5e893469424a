import { Batcher, type Database } from '@bellhop/postgres';
import { badRequest } from '@bellhop/protocol/bouncer';

import type { BouncerTables } from '../storage/tables.ts';
import { accountTokenOf, devicesWithTokens, type NewDevice, saveDevices } from './save-devices.ts';
import { bindRegistrations, type UsedRegistration, useOf } from './use-registration.ts';

/** A registration that was opened and may be stored. */
interface AcceptedRegistration extends NewDevice, UsedRegistration {}

interface SavedRegistration {
  readonly deviceId: number;
  /** The other living devices of the realm that have the token. */
  readonly sameTokenDeviceIds: readonly number[];
}

export type RegistrationBatcher = Batcher<AcceptedRegistration, SavedRegistration>;

/** Stores registrations. Rejects with BAD_REQUEST one that another account has used before. */
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
      return value
        ? { status: 'fulfilled', value }
        : { status: 'rejected', reason: usedByAnother() };
    });
  });

const usedByAnother = () =>
  badRequest(
    'Invalid encrypted_push_registration: another account has registered with it; make a new one for each account',
  );

/**
 * Stores registrations of different devices in one transaction, which costs one round trip and one flush to
 * disk. Undefined for one that another account has used.
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
    return {
      devices: tx.last(saveDevices(tx, used)),
      holders: tx.last(devicesWithTokens(tx, used)),
    };
  });
  const idOf = new Map(devices.rows.map((row) => [accountTokenOf(row), row.device_id]));
  return registrations.map((registration, index) => {
    const deviceId = idOf.get(accountTokenOf(keysOf(registration)));
    if (deviceId === undefined) return undefined;
    const ids = holders.rows[index]?.device_ids ?? [];
    return { deviceId, sameTokenDeviceIds: ids.filter((id) => id !== deviceId) };
  });
}

const keysOf = ({ realmUuid, pushAccountId, tokenHash }: NewDevice) => ({
  realm_uuid: realmUuid,
  push_account_id: pushAccountId,
  token_hash: tokenHash,
});

/** One statement cannot write a row twice: repetitions of a device come in a later group. */
function withoutRepetitions<D extends NewDevice>(devices: readonly D[]): D[][] {
  const groups: Map<string, D>[] = [];
  for (const device of devices) {
    const key = accountTokenOf(keysOf(device));
    const group = groups.find((one) => !one.has(key));
    if (group) group.set(key, device);
    else groups.push(new Map([[key, device]]));
  }
  return groups.map((group) => [...group.values()]);
}
