import { RealmId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

import { job } from '../../engine/job.ts';
import * as queries from '../../model/muted-users/queries.ts';
import * as users from '../../model/users/queries.ts';
import { markAsRead, termOf } from '../messages/flag/mark-as-read.ts';

const Payload = z.object({ realm_id: RealmId, user_id: UserId, muted_user_id: UserId });
type Payload = z.output<typeof Payload>;

/**
 * Marks the messages of a muted user as read once more: one that was being sent while the user was muted
 * had not seen that.
 */
export const markMutedUserRead = job<Payload>({
  name: 'mark_muted_user_read',
  payload: Payload,
  retry: [60, 600],
  timeoutMs: 60_000,
  async run({ realm_id, user_id, muted_user_id }, app) {
    const db = app.db.kysely;
    const user = await users.byId(db, realm_id, user_id);
    const muted = user ? await queries.ofUser(db, user) : [];
    if (!user || !muted.some(({ id }) => id === muted_user_id)) return;
    const realm = await app.realms.byId(realm_id);
    await markAsRead({ db, realm, user, change: (work) => app.change(realm, work) }, [
      termOf('sender', muted_user_id),
    ]);
  },
});
