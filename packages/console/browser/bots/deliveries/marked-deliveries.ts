import { DeliveryId, UserId } from '@bellhop/protocol';

import { createMarks } from '../../records/marks.ts';

/** The deliveries to compare, as `BOT.DELIVERY`: they may be of two bots. */
export const marks = createMarks();

export const markOf = (delivery: { readonly bot_id: number; readonly id: string }): string =>
  `${delivery.bot_id}.${delivery.id}`;

/** The delivery of a mark; undefined if the mark names none. */
export function markedDelivery(mark: string) {
  const [bot = '', id = ''] = mark.split('.');
  const bot_id = UserId.safeParse(Number(bot));
  const delivery_id = DeliveryId.safeParse(id);
  return bot_id.success && delivery_id.success
    ? { bot_id: bot_id.data, delivery_id: delivery_id.data }
    : undefined;
}
