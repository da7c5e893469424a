import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../../../engine/app.ts';
import type { Realm } from '../../../engine/caller.ts';
import * as realms from '../../realms/queries.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { deleteBatch } from '../delete/delete-batch.ts';
import * as queries from './queries.ts';

const BATCH_SIZE = 1000;
/** How long one run deletes; the next run goes on. */
const MAX_SECONDS = 300;
const HOUR = 3600;

/**
 * Deletes the messages of a realm that are older than the retention time of their channel or of the
 * realm, oldest first, each batch in a transaction of its own. Like on the public server, clients get
 * no `delete_message`. Returns how many messages were deleted.
 */
export async function deleteExpired(
  app: App,
  realm: Realm,
  until: number = app.now() + MAX_SECONDS,
): Promise<number> {
  const { message_retention_days } = settingsOf(realm);
  const conversations = await queries.expiringConversations(app.db.kysely, realm.id, {
    days: message_retention_days,
    now: app.now(),
  });
  let total = 0;
  for (const conversation of conversations)
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE; total += deleted) {
      if (app.now() >= until) return total;
      deleted = await app.change(realm, async (change) => {
        const { channel_id } = conversation;
        const page = { ...conversation, limit: BATCH_SIZE };
        const ids = await queries.lockExpired(change.db, realm.id, page);
        const channels = channel_id === null ? [] : [channel_id];
        if (ids.length > 0) await deleteBatch(change, { realm, ids, channels, now: app.now() });
        return ids.length;
      });
    }
  return total;
}

export const deleteExpiredMessages = job<object, App>({
  name: 'delete_expired_messages',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: HOUR,
  timeoutMs: 600_000,
  async run(_payload, app) {
    const until = app.now() + MAX_SECONDS;
    for (const id of await realms.ids(app.db.kysely)) {
      const deleted = await deleteExpired(app, await app.realms.byId(id), until);
      if (deleted > 0) app.log.info({ realm_id: id, deleted }, 'deleted expired messages');
    }
  },
});
