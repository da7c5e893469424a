import type { FetchedMessage } from '@bellhop/protocol';

import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { webhookBots } from './webhook-bots.ts';

/** Goes to the newest delivery of a message to a bot of the user, or to the one that it answers. */
export async function showDelivery(account: LiveAccount, message: FetchedMessage): Promise<void> {
  const { botDeliveries } = account.client;
  const asked = webhookBots(account, message).map(({ user_id: bot_id }) =>
    botDeliveries.list({ bot_id, message_id: message.id, limit: 1 }),
  );
  const found = (await Promise.all(asked)).flatMap(({ deliveries }) => deliveries);
  const [newest] = found.toSorted((a, b) => b.created_ms - a.created_ms);
  if (!newest) {
    toastError(
      new Error('This message was not delivered to any of your bots, or the delivery has expired.'),
    );
    return;
  }
  const bot = String(newest.bot_id);
  const q = `message:${message.id}`;
  go(href(['bots', bot], { q, delivery: newest.id, of: bot }));
}
