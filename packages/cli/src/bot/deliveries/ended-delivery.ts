import { setTimeout as sleep } from 'node:timers/promises';

import type { BotDeliveryDetails, DeliveryId } from '@bellhop/protocol';

import type { OwnBot } from './logins.ts';

const LOOK_MS = 150;
const UNFINISHED: readonly string[] = ['pending', 'running', 'retrying'];

/** Waits until a delivery has ended; after the time limit returns it in its present state. */
export async function endedDelivery(
  { bot_id, client }: OwnBot,
  delivery_id: DeliveryId,
  patienceMs: number,
): Promise<BotDeliveryDetails> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const { delivery } = await client.botDeliveries.get({ bot_id, delivery_id });
    if (!UNFINISHED.includes(delivery.status) || performance.now() > until) return delivery;
    await sleep(LOOK_MS);
  }
}
