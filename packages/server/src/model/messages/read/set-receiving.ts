import { sql } from 'kysely';

import type { Following } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { afterEventsUntilNow, LATER, NOW } from '../../channels/subscribe/subscribers.ts';
import { unreadOfSubscription } from './received.ts';

/**
 * A deactivated user receives nothing; a reactivated one again what is sent to their channels. What they have not
 * read gets rows, and `read_through` becomes the border: by it a message that is being sent meanwhile is told
 * apart from those before and after. The caller has locked the user.
 */
export async function setReceiving(
  change: Following,
  { id, realm_id: realm }: Pick<User, 'id' | 'realm_id'>,
  isActive: boolean,
): Promise<void> {
  // Locked before the events, as by all who change them.
  await sql`select from subscription where realm_id = ${realm} and user_id = ${id}
    order by channel_id for update`.execute(change.db);
  for (const place of ['here', 'away'] as const)
    change.afterEvents(sql`insert into user_message (realm_id, user_id, message_id, flags)
      select ${realm}, ${id}, m.id, m.flags
      from (${unreadOfSubscription(realm, sql`${id}`, place)}) m on conflict do nothing`);
  afterEventsUntilNow(
    change,
    sql`update subscription s
      set received = s.received ${isActive ? sql`+` : sql`-`} ${LATER}, read_through = ${NOW}
      where s.realm_id = ${realm} and s.user_id = ${id} and s.is_active`,
  );
}
