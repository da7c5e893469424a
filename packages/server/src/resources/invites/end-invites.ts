import type { RealmId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import * as queries from '../../model/invites/queries.ts';
import { emitInvitesChanged } from './emit-invites-changed.ts';

/** Removes the invitations of an address that now has an account, and tells those who may list them. */
export async function endInvites(
  change: Pick<Change<'invites_changed'>, 'db' | 'emit'>,
  realm: { readonly id: RealmId },
  email: string,
): Promise<void> {
  const inviters = await queries.removeOfAddress(change.db, realm.id, email);
  if (inviters.length > 0) await emitInvitesChanged(change, realm, ...inviters);
}
