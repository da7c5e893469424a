import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import * as queries from '../../model/scheduled-messages/queries.ts';
import type { ScheduledRow } from '../../model/scheduled-messages/queries.ts';
import { scheduledRecord } from '../../model/scheduled-messages/scheduled-record.ts';
import * as users from '../../model/users/queries.ts';
import { sendDirectMessage } from '../messages/send/send-message.ts';

interface Failure {
  readonly row: ScheduledRow;
  /** The reason in the words for the sender. */
  readonly reason: string;
}

/**
 * Marks a scheduled message as failed and tells its sender by a direct message of the notification
 * bot, unless the sender is deactivated.
 */
export async function failScheduledMessage(
  app: App,
  change: Change<'message' | 'scheduled_messages'>,
  { row, reason }: Failure,
): Promise<void> {
  const failed = await queries.update(change.db, row, { failure: reason });
  const realm = await app.realms.byIdIn(change.db, row.realm_id);
  const sender = await users.byId(change.db, realm.id, row.sender_id);
  if (!realm.is_active || !sender?.is_active) return;
  const scheduled_message = scheduledRecord(failed);
  change.emit({ type: 'scheduled_messages', op: 'update', scheduled_message }, [sender.id]);
  const due = new Date(row.deliver_at * 1000).toISOString();
  const notifier = await users.systemBot(change.db, realm.id, 'notification-bot');
  await sendDirectMessage(change, {
    realm,
    sender: notifier,
    client: 'Internal',
    now: app.now(),
    to: { participants: [notifier, sender] },
    content: `Your message that was due at <time:${due}> was not sent:\n\n> ${reason}\n\n[Scheduled messages](#scheduled)`,
    resolves: { users: [], channels: [] },
    read_by_sender: true,
  });
}
