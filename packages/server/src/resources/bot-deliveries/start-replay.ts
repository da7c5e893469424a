import { DeliveryId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { WatchedBot } from '../../model/bot-deliveries/access.ts';
import { excerptOfPayload } from '../../model/bot-deliveries/excerpt.ts';
import { replayJob } from '../../model/bot-deliveries/replay-job.ts';
import { insertReplay, type NewReplay } from '../../model/bot-deliveries/replay-rows.ts';
import { emitDelivery } from '../webhooks/record-delivery.ts';

type AskedReplay = Omit<NewReplay, 'subject'> &
  Pick<NewReplay['subject'], 'message_id' | 'trigger'>;

/** Adds a replay or a test with its job, and emits it to consoles. Returns its ID. */
export async function startReplay(
  { db, emit, enqueue }: Pick<Change<'bot_delivery'>, 'db' | 'emit' | 'enqueue'>,
  { bot, service }: WatchedBot,
  { message_id, trigger, ...asked }: AskedReplay,
): Promise<DeliveryId> {
  const { realm_id, id: bot_id, bot_owner_id: owner_id } = bot;
  const service_id = service.id;
  const id = await enqueue(replayJob, { realm_id, service_id, owner_id });
  const excerpt = excerptOfPayload(asked.payload ?? '');
  const subject = { realm_id, id, bot_id, service_id, owner_id, message_id, trigger, excerpt };
  emitDelivery(emit, 'add', await insertReplay(db, { ...asked, subject }));
  return DeliveryId.parse(id);
}
