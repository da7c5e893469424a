import { unfinishedJobs } from '@bellhop/jobs';

import type { Db } from '../../engine/call.ts';
import { webhookDelivery, webhookKey } from '../bots/webhook-delivery.ts';
import type { WatchedBot } from './access.ts';
import {
  type DeliveryFilter,
  type DeliveryRow,
  page,
  type UnfinishedDelivery,
} from './delivery-rows.ts';
import { replayJob } from './replay-job.ts';

interface Page extends DeliveryFilter {
  /** Only the delivery with this ID. */
  readonly id?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The most unfinished deliveries of one page. */
const MAX_UNFINISHED = 500;

/**
 * Deliveries of a bot, newest first. Sending a message writes only the job of a delivery: until the
 * end of the first attempt the delivery is read from it.
 */
export async function listDeliveries(
  db: Db,
  { bot, service, reader }: WatchedBot,
  wanted: Page,
): Promise<DeliveryRow[]> {
  const { realm_id, id: bot_id, bot_owner_id: owner_id } = bot;
  const service_id = service.id;
  // The key of a delivery names the owner at the time when it was added.
  const keys = [owner_id, null].map((owner) => webhookKey({ owner_id: owner, service_id }));
  const jobs = { keys, before: wanted.cursor, limit: MAX_UNFINISHED };
  const sent = (await unfinishedJobs(db, webhookDelivery, jobs)).map(
    ({ id, state, attempt, payload }): UnfinishedDelivery => {
      const { message_id, trigger, owner_id: owner } = webhookDelivery.payload.parse(payload);
      return { id, state, owner_id: owner, message_id, trigger, attempt_count: attempt };
    },
  );
  const replayed = (await unfinishedJobs(db, replayJob, jobs)).map(
    ({ id, state, attempt }): UnfinishedDelivery => ({
      id,
      state,
      owner_id: null,
      message_id: null,
      trigger: '',
      attempt_count: attempt,
    }),
  );
  const unfinished = [...sent, ...replayed];
  return page(db, { realm_id, bot_id }, { ...wanted, unfinished, reader: reader.id });
}
