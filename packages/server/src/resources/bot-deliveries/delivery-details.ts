import type {
  BotDeliveryDetails,
  DeliveryAttempt,
  DeliveryFault,
  DeliveryId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { WatchedBot } from '../../model/bot-deliveries/access.ts';
import * as rows from '../../model/bot-deliveries/delivery-rows.ts';
import { listDeliveries } from '../../model/bot-deliveries/list-deliveries.ts';
import { presentDelivery } from '../../model/bot-deliveries/present-delivery.ts';
import * as replays from '../../model/bot-deliveries/replay-rows.ts';

/** A delivery with its attempts, and with payloads and answers only for its owner. */
export async function deliveryDetails(
  db: Db,
  watched: WatchedBot,
  id: DeliveryId,
): Promise<BotDeliveryDetails | undefined> {
  const { bot, reader } = watched;
  const [row] = await listDeliveries(db, watched, { id, limit: 1 });
  if (!row) return undefined;
  const isOwn = row.owner_id === reader.id;
  const attempts = await rows.attemptsOf(db, { realm_id: bot.realm_id, id });
  const replayed = await replays.replayOf(db, { realm_id: bot.realm_id, id });
  const payload = attempts.at(-1)?.payload ?? replayed?.replay_payload ?? null;
  return {
    ...presentDelivery(row, reader.id),
    payload: isOwn ? payload : null,
    attempts: attempts.map((attempt) => presentAttempt(attempt, isOwn)),
  };
}

type AttemptRow = Awaited<ReturnType<typeof rows.attemptsOf>>[number];

const presentAttempt = (row: AttemptRow, isOwn: boolean): DeliveryAttempt => ({
  number: row.number,
  started_ms: row.started_at.getTime(),
  timing: row.timing as DeliveryAttempt['timing'],
  request: { url: row.url, headers: row.request_headers as Record<string, string> },
  response:
    row.response_status === null
      ? null
      : {
          status: row.response_status,
          headers: isOwn ? (row.response_headers as Record<string, string>) : null,
          body: isOwn ? row.response_body : null,
          truncated: row.truncated,
        },
  error:
    row.error_code === null
      ? null
      : { code: row.error_code as DeliveryFault, near: isOwn ? row.near : null },
  verdict: isOwn ? (row.owner_verdict ?? row.verdict) : row.verdict,
});
