import type { UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import { groupRecords } from './group-record.ts';
import type { GroupRow } from './group-rows.ts';
import * as queries from './queries.ts';

/** The active users in a group; `direct` leaves out the members of its subgroups. */
export async function memberIds(
  db: Db,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
  { direct }: { readonly direct: boolean },
): Promise<UserId[]> {
  if (direct) return (await groupRecords(db, realm_id, [id])).flatMap(({ members }) => members);
  return (await queries.membersOf(db, realm_id, [id])).map(({ user_id }) => user_id);
}
