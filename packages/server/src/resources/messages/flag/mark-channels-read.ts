import { type AttemptResult, done, enqueueAll } from '@bellhop/jobs';
import { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

import type { Change, Membership } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { lockLog } from '../../../engine/event-log.ts';
import { job } from '../../../engine/job.ts';
import type { Tables } from '../../../engine/tables.ts';
import * as queries from '../../../model/messages/flag/queries.ts';
import { readUntilNow } from '../../../model/messages/read/read-until-now.ts';
import { SENDING_MS } from '../../../model/messages/sending-ms.ts';
import { lockAll } from '../../../model/users/queries.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';

type FlagChange = Pick<Change<'update_message_flags'>, 'db' | 'emit' | 'nowMs' | 'afterEvents'>;
type PushRealm = Pick<Realm, 'id' | 'has_push_devices'>;

const Payload = z.object({
  realm_id: RealmId,
  pairs: z.array(z.object({ user_id: UserId, channel_id: ChannelId })),
});
type Payload = z.output<typeof Payload>;

/** Marks the messages of archived channels as read once more: one that was being sent meanwhile is unread. */
export const markLeftChannelsRead = job<Payload>({
  name: 'mark_left_channels_read',
  payload: Payload,
  retry: [60, 600],
  timeoutMs: 60_000,
  run: async ({ realm_id, pairs }, app): Promise<AttemptResult<Tables>> => {
    const realm = await app.realms.byId(realm_id);
    return done({
      write: (tx) =>
        app.changeIn(tx, realm, async (change) => {
          const left = await queries.withoutUnread(change.db, realm_id, pairs);
          await markChannelsRead(change, realm, left);
        }),
    });
  },
});

/** Marks all messages of a channel that is archived as read for its subscribers, now and once more after a while. */
export async function markArchivedRead(
  change: FlagChange,
  realm: PushRealm,
  subscribers: readonly Membership[],
): Promise<void> {
  await markChannelsRead(change, realm, subscribers);
  const pairs = subscribers.map(({ user_id, channel_id }) => ({ user_id, channel_id }));
  const payload = { realm_id: realm.id, pairs };
  await enqueueAll(change.db, markLeftChannelsRead, [{ payload, delayMs: SENDING_MS }]);
}

/** Marks all messages of channels as read for users, with an event to each of them. */
export async function markChannelsRead(
  change: FlagChange,
  realm: PushRealm,
  pairs: readonly Membership[],
): Promise<void> {
  const { db } = change;
  await lockAll(db, realm.id, [...new Set(pairs.map(({ user_id }) => user_id))]);
  // No message comes before this event that it does not name.
  await lockLog(db, realm.id);
  const marked = await queries.setChannelsRead(db, realm.id, pairs);
  await readUntilNow(change, realm.id, pairs);
  await withdrawPushes(change, realm, {
    messages: [...new Set(marked.flatMap(({ messages }) => messages))],
    users: marked.map(({ user_id }) => user_id),
  });
  for (const { user_id, messages } of marked)
    change.emit(
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      },
      [user_id],
    );
}
