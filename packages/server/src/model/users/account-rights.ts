import { type RealmId, roles } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import { USERS_CHANNEL } from './known-users.ts';
import * as queries from './queries.ts';

/** The rights that only the operator of the server gives, and the lowest role that can use each. */
export const accountRights = {
  'create-users': { column: 'can_create_users', role: roles.admin },
  'change-emails': { column: 'can_change_user_emails', role: roles.owner },
} as const;
export type AccountRight = keyof typeof accountRights;

export interface RightChange {
  readonly email: string;
  readonly right: AccountRight;
  readonly isGranted: boolean;
}

/**
 * Gives an active person a right, or takes it away; within a second every node knows it. Returns what
 * happened: `role too low` if a right is given to somebody who could not use it.
 */
export async function setAccountRight(
  tx: Tx,
  realm: RealmId,
  { email, right, isGranted }: RightChange,
): Promise<'changed' | 'unchanged' | 'unknown' | 'role too low'> {
  const { column, role } = accountRights[right];
  const [user] = await queries.byEmails(tx, realm, [email]);
  if (!user?.is_active || user.is_bot) return 'unknown';
  if (isGranted && user.role > role) return 'role too low';
  if (user[column] === isGranted) return 'unchanged';
  await queries.update(tx, user, { [column]: isGranted });
  tx.notify(USERS_CHANNEL, String(user.id));
  return 'changed';
}
