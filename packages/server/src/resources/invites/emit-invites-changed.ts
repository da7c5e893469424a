import type { RealmId, UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import * as users from '../../model/users/queries.ts';

/** Tells administrators and the inviters that the invitations which they may list have changed. */
export async function emitInvitesChanged(
  { db, emit }: Pick<Change<'invites_changed'>, 'db' | 'emit'>,
  realm: { readonly id: RealmId },
  ...inviters: readonly UserId[]
): Promise<void> {
  const administrators = await users.administrators(db, realm.id);
  const audience = new Set([...administrators.map(({ id }) => id), ...inviters]);
  emit({ type: 'invites_changed' }, [...audience]);
}
