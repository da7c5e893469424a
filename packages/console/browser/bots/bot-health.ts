import type { UserId, WebhookEndpoint } from '@bellhop/protocol';
import { type ReadonlySignal, signal } from '@preact/signals';

import type { LiveAccount } from '../live/live-account.ts';
import { managedBots, webhookOf } from './managed-bots.ts';

export type Health = WebhookEndpoint['state'] | 'unknown';

/** The state of the webhooks of the user, by bot. */
export interface BotHealth {
  readonly states: ReadonlySignal<ReadonlyMap<number, Health>>;
  readonly stop: () => void;
}
/**
 * The most endpoints whose state is fetched; the state of the others comes with their next event.
 */
const MAX_ASKED = 50;

/**
 * Fetches the state of the user's own webhooks, and updates the state of all from the events of
 * deliveries.
 */
export function watchHealth(account: LiveAccount): BotHealth {
  const states = signal<ReadonlyMap<number, Health>>(new Map());
  const set = (id: UserId, health: Health) => {
    if (states.peek().get(id) !== health) states.value = new Map(states.peek()).set(id, health);
  };
  const ask = async () => {
    const state = account.state.peek();
    const own = state ? managedBots(state, account.user_id) : [];
    const asked = own.filter(
      (bot) => bot.is_active && bot.owner_id === account.user_id && webhookOf(bot),
    );
    for (const { user_id: bot_id } of asked.slice(0, MAX_ASKED)) {
      const answer = await account.client.botDeliveries.endpoint({ bot_id }).catch(() => undefined);
      if (answer) set(bot_id, healthOf(answer.endpoint));
    }
  };
  const stopEvents = account.onEvent((event) => {
    if (event.type === 'bot_endpoint') set(event.bot_id, event.endpoint.state);
    if (event.type !== 'bot_delivery' || event.delivery.replay_of !== null) return;
    const { bot_id, status } = event.delivery;
    if (states.peek().get(bot_id) === 'disabled') return;
    if (status === 'delivered' || status === 'bot_error') set(bot_id, 'working');
    if (status === 'failed' || status === 'retrying') set(bot_id, 'failing');
  });
  const stopResync = account.generation.subscribe(() => void ask());
  return {
    states,
    stop: () => {
      stopEvents();
      stopResync();
    },
  };
}

/** A webhook that was never called is not shown as working. */
const healthOf = ({ state, p50_ms }: WebhookEndpoint): Health =>
  state === 'working' && p50_ms === null ? 'unknown' : state;
