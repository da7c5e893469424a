import type { ScheduledMessage } from '@bellhop/protocol';

import type { ScheduledRow } from './queries.ts';

/** A scheduled message as clients get it. */
export function scheduledRecord(row: ScheduledRow): ScheduledMessage {
  const { channel_id, user_ids, sender_id, topic, content, rendered_content, failure } = row;
  const message = {
    scheduled_message_id: row.id,
    content,
    rendered_content,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: failure !== null,
  };
  if (channel_id !== null) return { ...message, type: 'stream', to: channel_id, topic };
  const others = (user_ids ?? []).filter((id) => id !== sender_id);
  return { ...message, type: 'private', to: others.length > 0 ? others : [sender_id] };
}
