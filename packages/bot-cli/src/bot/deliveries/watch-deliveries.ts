import { type Client, eventStream } from '@bellhop/client';
import { type BotDelivery, BotDeliveryEvent } from '@bellhop/protocol';

/** Whether a delivery gets a line: an attempt has ended. */
const isTold = ({ status }: BotDelivery): boolean => status !== 'pending' && status !== 'running';

/** Calls back for each ended attempt at the webhooks that the user of the client owns or administers. */
export async function watchDeliveries(
  client: Client,
  onDelivery: (delivery: BotDelivery) => void,
  { signal, onReady }: { readonly signal: AbortSignal; readonly onReady?: () => void },
): Promise<void> {
  const registration = {
    event_types: ['bot_delivery'],
    client_capabilities: { console_events: true },
  };
  for await (const item of eventStream(client, registration, { signal })) {
    if (item.kind === 'registered') {
      onReady?.();
      continue;
    }
    const event = BotDeliveryEvent.safeParse(item.event).data;
    if (event && isTold(event.delivery)) onDelivery(event.delivery);
  }
}
