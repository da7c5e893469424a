import { type ApiError, badRequest, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { requireAllowedAddress } from '../realm-domains/address-rules.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { checkFullName } from './create-user.ts';
import * as queries from './queries.ts';

/**
 * A name for a person, trimmed. Throws BAD_REQUEST if it is malformed, or if the realm requires unique
 * names and another active user has it. `own` is the person who gets it.
 */
export async function personName(
  db: Db,
  realm: Realm,
  { name, own }: { name: string; own?: UserId },
): Promise<string> {
  const full_name = checkFullName(name);
  if (!settingsOf(realm).require_unique_names) return full_name;
  const namesakes = await queries.byFullNames(db, realm.id, [full_name]);
  if (namesakes.some(({ id, is_active }) => is_active && id !== own))
    throw badRequest('Unique names required in this organization.');
  return full_name;
}

export const addressInUse = (address: string): ApiError =>
  badRequest(`Email '${address}' already in use`);

/** A new address of a person, trimmed. Throws BAD_REQUEST if it is malformed, not allowed or in use. */
export async function personAddress(
  db: Db,
  realm: Pick<Realm, 'id' | 'settings'>,
  { email, own }: { email: string; own?: UserId },
): Promise<string> {
  const address = mailAddress(email);
  await requireAllowedAddress(db, realm, address);
  const [taken] = await queries.byEmails(db, realm.id, [address]);
  if (taken && taken.id !== own) throw addressInUse(address);
  return address;
}
