import type {
  BotDelivery,
  DeliveryFault,
  DeliveryReply,
  DeliveryStatus,
  EventOf,
} from '@bellhop/protocol';
import { DeliveryId } from '@bellhop/protocol';

import { type Presenter, presentToConsoles } from '../../engine/stored-event.ts';
import type { DeliveryRow } from './delivery-rows.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    bot_delivery: EventOf<'bot_delivery'> & {
      /** The owner of the delivery, who alone gets the excerpt. */
      readonly owner_id: number | null;
      /** The verdict for the others. */
      readonly others_verdict: string;
    };
  }
}

/** Omits the excerpt and what the endpoint said for all but the owner, as a list does. */
export const presentDeliveryEvent: Presenter = (stored, reader) => {
  const { owner_id, others_verdict, ...payload } = stored.payload;
  const delivery = payload['delivery'] as BotDelivery;
  const isOwn = reader.user_id === owner_id;
  return presentToConsoles(
    {
      ...stored,
      payload: isOwn
        ? payload
        : { ...payload, delivery: { ...delivery, excerpt: null, verdict: others_verdict } },
    },
    reader,
  );
};

const isOwnedBy = ({ owner_id }: DeliveryRow, reader: number | null) =>
  owner_id !== null && owner_id === reader;

/**
 * A stored delivery in the form of the API, for its owner, or another user who manages the bot. The
 * database holds only fields of the contract.
 */
export const presentDelivery = (row: DeliveryRow, reader: number | null): BotDelivery => ({
  id: DeliveryId.parse(row.id),
  bot_id: row.bot_id,
  message_id: row.message_id,
  trigger: row.trigger,
  excerpt: isOwnedBy(row, reader) ? row.excerpt : null,
  status: row.status as DeliveryStatus,
  created_ms: row.created_at.getTime(),
  attempt_count: row.attempt_count,
  next_attempt_ms: row.next_attempt_at?.getTime() ?? null,
  duration_ms: row.duration_ms,
  http_status: row.http_status,
  error_code: row.error_code as DeliveryFault | null,
  verdict: isOwnedBy(row, reader) ? (row.owner_verdict ?? row.verdict) : row.verdict,
  reply: {
    outcome: row.reply_outcome as DeliveryReply['outcome'],
    message_id: row.reply_message_id,
    reason: row.reply_reason,
  },
  replay_of: row.replay_of === null ? null : DeliveryId.parse(row.replay_of),
  replay_id: row.replay_id,
});
