import { type AttemptResult, cancel, done } from '@bellhop/jobs';
import { RealmId, ScheduledMessageId } from '@bellhop/protocol';
import { z } from 'zod';

import { ApiError } from '../../engine/api-error.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Change, Tx } from '../../engine/call.ts';
import { job } from '../../engine/job.ts';
import type { Tables } from '../../engine/tables.ts';
import * as queries from '../../model/scheduled-messages/queries.ts';
import type { ScheduledRow } from '../../model/scheduled-messages/queries.ts';
import * as users from '../../model/users/queries.ts';
import { sendBatch } from '../messages/send/send-batch.ts';
import { failScheduledMessage } from './fail-scheduled-message.ts';

/** A message that could not be sent in this time after it was due is not sent at all. */
const MAX_DELAY_SECONDS = 600;

const Payload = z.object({
  realm_id: RealmId,
  id: ScheduledMessageId,
  /** A job of an earlier time does nothing: the message was put off or brought forward. */
  deliver_at: z.int(),
});
type Payload = z.output<typeof Payload>;

/**
 * Sends a scheduled message when it is due. The message, the deletion of its row and the end of the
 * job commit together: whatever crashes, the message is sent once.
 */
export const sendScheduledMessage = job<Payload>({
  name: 'send_scheduled_message',
  payload: Payload,
  lane: 'scheduled',
  key: ({ realm_id }) => String(realm_id),
  retry: [1, 5, 30, 120, 300],
  timeoutMs: 60_000,
  async run(payload, app): Promise<AttemptResult<Tables>> {
    return done({
      write: (tx) =>
        app.changeIn(tx, { id: payload.realm_id }, async (change) => {
          const row = await dueMessage(change, payload);
          if (row) await send(app, change, row);
        }),
    });
  },
  async onDead(tx, { payload }, app) {
    await app.changeIn(tx, { id: payload.realm_id }, async (change) => {
      const row = await dueMessage(change, payload);
      const reason = 'Internal server error';
      if (row) await failScheduledMessage(app, change, { row, reason });
    });
  },
});

/** Adds the job that sends a message when it is due. */
export async function enqueueSend(
  { enqueue }: Pick<Change, 'enqueue'>,
  row: ScheduledRow,
): Promise<void> {
  const { realm_id, id, deliver_at } = row;
  const runAt = new Date(deliver_at * 1000);
  const payload = { realm_id, id, deliver_at };
  await enqueue(sendScheduledMessage, payload, { runAt, dedupe: dedupeOf(payload) });
}

/** Removes that job: it would stay until the message would have been due. */
export const cancelSend = (tx: Tx, row: ScheduledRow): Promise<void> =>
  cancel(tx, sendScheduledMessage, dedupeOf(row));

const dedupeOf = ({ realm_id, id, deliver_at }: Payload) => `${realm_id} ${id} ${deliver_at}`;

/** Locks the message; undefined if it was sent, deleted, has failed or has another time. */
async function dueMessage(
  { db }: Pick<Change, 'db'>,
  { realm_id, id, deliver_at }: Payload,
): Promise<ScheduledRow | undefined> {
  const row = await queries.lock(db, realm_id, id);
  return row?.deliver_at === deliver_at && row.failure === null ? row : undefined;
}

async function send(app: JobApp, change: Change, row: ScheduledRow): Promise<void> {
  const reason = await refusal(app, change, row);
  if (reason !== undefined) return failScheduledMessage(app, change, { row, reason });
  await queries.remove(change.db, row);
  const event = { type: 'scheduled_messages', op: 'remove', scheduled_message_id: row.id } as const;
  change.emit(event, [row.sender_id]);
}

/** Sends the message with the checks of sending. Returns why it was refused. */
async function refusal(
  app: JobApp,
  change: Change,
  row: ScheduledRow,
): Promise<string | undefined> {
  const now = app.now();
  const realm = await app.realms.byIdIn(change.db, row.realm_id);
  const sender = await users.byId(change.db, realm.id, row.sender_id);
  if (!realm.is_active) return 'This organization has been deactivated';
  if (!sender?.is_active) return 'Your account has been deactivated';
  if (now > row.deliver_at + MAX_DELAY_SECONDS)
    return 'Message could not be sent at the scheduled time.';
  const { channel_id, topic, client, content, read_by_sender } = row;
  const to =
    channel_id === null
      ? { participants: { ids: row.user_ids ?? [] } }
      : { channel: { id: channel_id }, topic };
  const request = { realm, sender, client, now, to, content, read_by_sender };
  const [sent] = await sendBatch(change, [request]);
  if (sent?.status === 'fulfilled') return undefined;
  if (sent?.reason instanceof ApiError) return sent.reason.message;
  throw sent?.reason;
}
