import type { RealmId, RecipientId } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../../engine/app.ts';
import type { Db } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { job } from '../../../engine/job.ts';
import { eachRealm } from '../../../every-realm.ts';
import * as queries from '../../../model/messages/retention/queries.ts';
import * as realms from '../../../model/realms/queries.ts';
import { settingsOf } from '../../../model/realms/realm-settings.ts';
import { deleteBatch } from '../delete/delete-batch.ts';

const BATCH_SIZE = 1000;
/** How long one run deletes; the next run goes on. */
const MAX_SECONDS = 300;
const HOUR = 3600;

/**
 * Deletes the messages of a realm that are older than the retention time of their channel or of the
 * realm, oldest first, each batch in a transaction of its own. Clients get no `delete_message`, as on
 * public servers before feature level 452: one event for each topic and group of readers would fill the
 * log of a realm that begins with retention. Returns how many messages were deleted.
 */
export async function deleteExpired(
  app: JobApp,
  realm: Realm,
  until: number = app.now() + MAX_SECONDS,
): Promise<number> {
  const expiring = async (db: Db, recipient_id?: RecipientId) => {
    const { message_retention_days: days } = settingsOf(await realms.byId(db, realm.id));
    const asked = recipient_id === undefined ? {} : { recipient_id };
    return queries.expiringConversations(db, realm.id, { days, now: app.now(), ...asked });
  };
  const deleteNext = (id: RecipientId) =>
    app.change(realm, async (change) => {
      // Another retention time may have been set since.
      const [conversation] = await expiring(change.db, id);
      if (!conversation) return 0;
      const { channel_id } = conversation;
      const page = { ...conversation, limit: BATCH_SIZE };
      const ids = await queries.lockExpired(change.db, realm.id, page);
      const channels = channel_id === null ? [] : [channel_id];
      if (ids.length > 0) await deleteBatch(change, { realm, ids, channels, now: app.now() });
      return ids.length;
    });
  let total = 0;
  for (const { recipient_id } of await expiring(app.db.kysely))
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE; total += deleted) {
      if (app.now() >= until) return total;
      deleted = await deleteNext(recipient_id);
    }
  return total;
}

export const deleteExpiredMessages = job<object>({
  name: 'delete_expired_messages',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: HOUR,
  timeoutMs: 600_000,
  async run(_payload, app, { signal }) {
    const until = app.now() + MAX_SECONDS;
    const work = async (id: RealmId) => {
      const deleted = await deleteExpired(app, await app.realms.byId(id), until);
      if (deleted > 0) app.log.info({ realm_id: id, deleted }, 'deleted expired messages');
    };
    await eachRealm(await realms.ids(app.db.kysely), work, signal);
  },
});
