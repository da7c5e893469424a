import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import * as users from '../../users/queries.ts';
import { inheritedOf, ownOf, type PersonalSubscriptions } from './subscription-records.ts';
import type { SubscriptionRow } from './subscription-rows.ts';

/** The settings of each user for their channels, as the event log stores them. */
export async function personalSubscriptions(
  db: Db,
  realm: RealmId,
  rows: readonly SubscriptionRow[],
): Promise<Record<UserId, PersonalSubscriptions>> {
  if (rows.length === 0) return {};
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  const people = await users.byIds(db, realm, [...byUser.keys()]);
  const personal = people.map((user) => [
    user.id,
    {
      own: (byUser.get(user.id) ?? []).map((row) => ({ stream_id: row.channel_id, ...ownOf(row) })),
      inherited: inheritedOf(user),
    },
  ]);
  return Object.fromEntries(personal) as Record<UserId, PersonalSubscriptions>;
}
