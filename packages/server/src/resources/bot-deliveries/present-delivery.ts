import type { BotDelivery, DeliveryFault, DeliveryReply, DeliveryStatus } from '@bellhop/protocol';
import { DeliveryId } from '@bellhop/protocol';

import type { DeliveryRow } from './delivery-rows.ts';

/** A stored delivery in the form of the API. The database holds only fields of the contract. */
export const presentDelivery = (row: DeliveryRow): BotDelivery => ({
  id: DeliveryId.parse(row.id),
  bot_id: row.bot_id,
  message_id: row.message_id,
  trigger: row.trigger,
  status: row.status as DeliveryStatus,
  created_ms: row.created_at.getTime(),
  attempt_count: row.attempt_count,
  next_attempt_ms: row.next_attempt_at?.getTime() ?? null,
  duration_ms: row.duration_ms,
  http_status: row.http_status,
  error_code: row.error_code as DeliveryFault | null,
  verdict: row.verdict,
  reply: {
    outcome: row.reply_outcome as DeliveryReply['outcome'],
    message_id: row.reply_message_id,
    reason: row.reply_reason,
  },
  replay_of: row.replay_of === null ? null : DeliveryId.parse(row.replay_of),
  replay_id: row.replay_id,
});
