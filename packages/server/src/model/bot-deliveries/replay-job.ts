import { RealmId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

import { webhookDelivery, webhookKey } from '../bots/webhook-delivery.ts';

const Replay = z.object({
  realm_id: RealmId,
  service_id: z.int(),
  /** The owner of the bot, who has asked for it. */
  owner_id: UserId.nullable(),
});
/** The id of the job is the id of the `bot_delivery`, which holds the payload. */
export type Replay = z.output<typeof Replay>;

/** The job without its work. It waits in line with the deliveries of the owner. */
export const replayJob = {
  name: 'replay_to_webhook',
  lane: webhookDelivery.lane,
  payload: Replay,
  key: (replay: Replay) => webhookKey(replay),
};
