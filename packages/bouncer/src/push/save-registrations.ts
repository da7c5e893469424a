import { badRequest } from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import { Batcher } from '../batcher.ts';
import type { BouncerTables } from '../tables.ts';
import {
  accountToken,
  type NewDevice,
  sameTokenDevices,
  saveDevices,
  tokenHash,
} from './queries.ts';
import { type UsedRegistration, useRegistrations } from './use-registration.ts';

/** A registration that was opened and may be stored. */
export interface AcceptedRegistration extends NewDevice, UsedRegistration {}

export interface SavedRegistration {
  readonly deviceId: number;
  /** The other living devices of the realm that have the token. */
  readonly sameTokenDeviceIds: readonly number[];
}

export type RegistrationBatcher = Batcher<AcceptedRegistration, SavedRegistration>;

/** Stores registrations. Rejects with BAD_REQUEST one that another account has used before. */
export const registrationBatcher = (db: Kysely<BouncerTables>): RegistrationBatcher =>
  new Batcher(async (registrations) => {
    const isAllowed = await useRegistrations(db, registrations);
    const allowed = registrations.filter((_, index) => isAllowed[index]);
    const deviceIds = new Map<AcceptedRegistration, number>();
    for (const distinct of withoutRepetitions(allowed)) {
      const ids = await saveDevices(db, distinct);
      distinct.forEach((device, index) => deviceIds.set(device, ids[index] ?? 0));
    }
    const saved = allowed.map((device) => ({ ...device, deviceId: deviceIds.get(device) ?? 0 }));
    const same = await sameTokenDevices(db, saved);
    let next = 0;
    return registrations.map((_, index): PromiseSettledResult<SavedRegistration> => {
      if (!isAllowed[index]) return { status: 'rejected', reason: usedByAnother() };
      const { deviceId = 0 } = saved[next] ?? {};
      const value = { deviceId, sameTokenDeviceIds: same[next++] ?? [] };
      return { status: 'fulfilled', value };
    });
  });

const usedByAnother = () =>
  badRequest('Invalid encrypted_push_registration: another account has registered with it');

const keyOf = ({ realmUuid, pushAccountId, registration }: NewDevice): string =>
  accountToken({
    realm_uuid: realmUuid,
    push_account_id: pushAccountId,
    token_hash: tokenHash(registration),
  });

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
