import type { BotDelivery } from '@bellhop/protocol';

import { toast, toastError } from '../../controls/toasts.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { setQuery } from '../../navigation/location.ts';

/** Sends a delivery again as it was, once, and offers to show the replay. The reply is not sent. */
export function replayNow({ client }: LiveAccount, { bot_id, id }: BotDelivery): void {
  client.botDeliveries
    .replay({ bot_id, delivery_id: id })
    .then(({ delivery_id }) => sent(delivery_id, bot_id), toastError);
}

/** Shows that a replay or a test was sent. */
export function sent(delivery: string, bot_id: number, text: string = 'Replay started.'): void {
  toast(text, {
    label: 'Show',
    run: () => setQuery({ delivery, of: String(bot_id), compare: undefined }),
  });
}
