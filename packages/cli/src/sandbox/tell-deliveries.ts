import { deliveryLine, watchDeliveries } from '@bellhop/bot-cli/deliveries';
import type { SandboxFile } from '@bellhop/bot-cli/sandbox';
import { createClient } from '@bellhop/client';
import { type BotDelivery, roles } from '@bellhop/protocol';

/**
 * Calls back with a line for each attempt at a webhook that an owner of the realm sees, or without one among the
 * users the first of them. Returns the function that ends it.
 */
export function tellDeliveries(
  file: SandboxFile,
  onDelivery: (line: string) => void,
): () => Promise<void> {
  const owner = file.users.find(({ role }) => role === roles.owner) ?? file.users[0];
  if (!owner) throw new Error('The sandbox has no users');
  const client = createClient({ url: file.base_url, email: owner.email, apiKey: owner.api_key });
  const stopping = new AbortController();
  const names = new Map<number, string>();
  const tell = async (delivery: BotDelivery) => {
    const { bot_id: user_id } = delivery;
    if (!names.has(user_id)) {
      const { user } = await client.users.get({ user_id });
      names.set(user_id, user.full_name);
    }
    onDelivery(deliveryLine(delivery, names.get(user_id) ?? ''));
  };
  const watching = watchDeliveries(
    client,
    (delivery) => void tell(delivery).catch(() => undefined),
    {
      signal: stopping.signal,
    },
  ).catch(() => undefined);
  return async () => {
    stopping.abort();
    await watching;
  };
}
