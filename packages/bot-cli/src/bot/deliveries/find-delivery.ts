import { ApiError, type BotDeliveryDetails, type DeliveryId } from '@bellhop/protocol';

import { UserError } from '../../command-line/user-error.ts';
import type { OwnBot } from './logins.ts';

/** A delivery of one of these bots. Throws a UserError if no bot has it. */
export async function findDelivery(
  bots: readonly OwnBot[],
  delivery_id: DeliveryId,
): Promise<{ bot: OwnBot; delivery: BotDeliveryDetails }> {
  for (const bot of bots) {
    const { bot_id, client } = bot;
    try {
      const { delivery } = await client.botDeliveries.get({ bot_id, delivery_id });
      return { bot, delivery };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    }
  }
  throw new UserError(`None of your bots has the delivery ${delivery_id}.`);
}
