import { type AttemptResult, cancel, done } from '@bellhop/jobs';
import { RealmId, ReminderId } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../engine/app.ts';
import type { Change, Tx } from '../../engine/call.ts';
import { job } from '../../engine/job.ts';
import type { Tables } from '../../engine/tables.ts';
import * as queries from '../../model/reminders/queries.ts';
import type { ReminderRow } from '../../model/reminders/queries.ts';
import { reminderContent } from '../../model/reminders/reminder-content.ts';
import { reminderRecord } from '../../model/reminders/reminder-record.ts';
import * as users from '../../model/users/queries.ts';
import { sendDirectMessage } from '../messages/send/send-message.ts';

const Payload = z.object({ realm_id: RealmId, id: ReminderId });
type Payload = z.output<typeof Payload>;

/**
 * Sends a reminder when it is due. The message, the deletion of the reminder and the end of the job
 * commit together: whatever crashes, the user is reminded once.
 */
export const sendReminder = job<Payload>({
  name: 'send_reminder',
  payload: Payload,
  lane: 'scheduled',
  key: ({ realm_id }) => String(realm_id),
  retry: [1, 5, 30, 120, 600, 3600],
  timeoutMs: 60_000,
  async run({ realm_id, id }, app): Promise<AttemptResult<Tables>> {
    return done({
      write: (tx) =>
        app.changeIn(tx, { id: realm_id }, async (change) => {
          const row = await queries.lock(change.db, realm_id, id);
          if (row && !row.failed) await send(app, change, row);
        }),
    });
  },
  async onDead(tx, { payload: { realm_id, id } }, app) {
    await app.changeIn(tx, { id: realm_id }, async (change) => {
      const row = await queries.lock(change.db, realm_id, id);
      if (row) await fail(change, row);
    });
  },
});

/** Adds the job that sends a reminder when it is due. */
export async function enqueueReminder(
  { enqueue }: Pick<Change, 'enqueue'>,
  { realm_id, id, deliver_at }: ReminderRow,
): Promise<void> {
  const payload = { realm_id, id };
  const runAt = new Date(deliver_at * 1000);
  await enqueue(sendReminder, payload, { runAt, dedupe: dedupeOf(payload) });
}

/** Removes that job: it would stay until the reminder would have been due. */
export const cancelReminder = (tx: Tx, row: ReminderRow): Promise<void> =>
  cancel(tx, sendReminder, dedupeOf(row));

const dedupeOf = ({ realm_id, id }: Payload) => `${realm_id} ${id}`;

async function send(app: JobApp, change: Change, row: ReminderRow): Promise<void> {
  const { db } = change;
  const { message_id, note } = row;
  const realm = await app.realms.byIdIn(db, row.realm_id);
  const user = await users.byId(db, realm.id, row.user_id);
  if (!realm.is_active || !user?.is_active) return fail(change, row);
  const notifier = await users.systemBot(db, realm.id, 'notification-bot');
  // If the user has lost access to the message, the reminder shows the text of when it was made.
  const known = { content: row.content, resolves: { users: [], channels: [] } };
  const current = await reminderContent(db, { realm, user, message_id, note });
  await sendDirectMessage(change, {
    realm,
    sender: notifier,
    client: 'Internal',
    now: app.now(),
    to: { participants: [notifier, user] },
    ...(current ?? known),
    read_by_sender: true,
  });
  await queries.remove(db, row);
  change.emit({ type: 'reminders', op: 'remove', reminder_id: row.id }, [user.id]);
}

/** Marks a reminder as failed. No event changes a reminder, so that clients get a removal and an addition. */
async function fail({ db, emit }: Change<'reminders'>, row: ReminderRow): Promise<void> {
  await queries.markFailed(db, row);
  emit({ type: 'reminders', op: 'remove', reminder_id: row.id }, [row.user_id]);
  const reminders = [reminderRecord({ ...row, failed: true })];
  emit({ type: 'reminders', op: 'add', reminders }, [row.user_id]);
}
