import { type AttemptResult, done, enqueueAll } from '@bellhop/jobs';
import { ChannelId, RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { job } from '../../engine/job.ts';
import type { Tables } from '../../engine/tables.ts';
import { renewFirstMessages } from '../../model/channels/first-message.ts';
import { SENDING_MS } from '../../model/messages/sending-ms.ts';
import { emitFirstMessages } from './emit-first-messages.ts';

const Payload = z.object({ realm_id: RealmId, channel_id: ChannelId });
type Payload = z.output<typeof Payload>;

/**
 * Looks again for the first message of a channel that has become empty. A message that was being sent
 * meanwhile did not record itself as the first one: it had read that the channel has one.
 */
export const checkFirstMessage = job<Payload>({
  name: 'check_first_message',
  payload: Payload,
  retry: [60, 600],
  timeoutMs: 60_000,
  run: async ({ realm_id, channel_id }, app): Promise<AttemptResult<Tables>> =>
    done({
      write: (tx) =>
        app.changeIn(tx, { id: realm_id }, (change) =>
          updateFirstMessages(change, { id: realm_id }, [channel_id]),
        ),
    }),
});

/** Updates `first_message_id` of channels that lost or gained messages, with an event if it changes. */
export async function updateFirstMessages(
  change: Pick<Change<'stream'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  ids: readonly ChannelId[],
): Promise<void> {
  const updated = await renewFirstMessages(change.db, realm.id, ids);
  if (updated.length === 0) return;
  await emitFirstMessages(change, realm.id, updated);
  const emptied = updated.filter(({ first_message_id }) => first_message_id === null);
  const jobs = emptied.map(({ id }) => ({
    payload: { realm_id: realm.id, channel_id: id },
    delayMs: SENDING_MS,
  }));
  await enqueueAll(change.db, checkFirstMessage, jobs);
}
