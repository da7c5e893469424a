import type { Reminder } from '@bellhop/protocol';

import type { ReminderRow } from './queries.ts';

export const reminderRecord = (row: ReminderRow): Reminder => ({
  reminder_id: row.id,
  type: 'private',
  to: [row.user_id],
  content: row.content,
  rendered_content: row.rendered_content,
  scheduled_delivery_timestamp: row.deliver_at,
  failed: row.failed,
  reminder_target_message_id: row.message_id,
});
