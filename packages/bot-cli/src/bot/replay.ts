import { setTimeout as sleep } from 'node:timers/promises';

import { type BotDeliveryDetails, DeliveryId } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { argument, switchFlag, textFlag } from '../command-line/flags.ts';
import { rethrowAsUserError, UsageError } from '../command-line/user-error.ts';
import { deliveryLine } from './deliveries/delivery-text.ts';
import { findDelivery } from './deliveries/find-delivery.ts';
import { botsNamed, loginHelp, type OwnBot, ownBots } from './deliveries/logins.ts';

/** Longer than an attempt may take. */
const PATIENCE_MS = 30_000;

export const replay = defineCommand({
  description: `Sends messages to a bot's webhook once more, after a fault was repaired: the same text as new deliveries
with new signatures. They do not count for disabling the webhook, and are not retried.

  bellhop bot replay 0199ae2e-7c5f-7c33-8a53-1f0e6c0e2b10
  bellhop bot replay --failed "Echo Bot" --dry-run

${loginHelp}`,
  flags: {
    failed: textFlag('All failed deliveries of this bot, at most 1000', 'bot'),
    sendReply: switchFlag('Send the reply to the conversation; else nobody sees it'),
    dryRun: switchFlag('Only say how many there are'),
  },
  args: { each: argument('id', 'The id of a delivery', parseDeliveryId) },
  async run({ failed, sendReply: send_reply, dryRun: dry_run }, ...ids) {
    if ((failed === undefined) === (ids.length === 0))
      throw new UsageError('Give ids of deliveries, or a bot with --failed.');
    const bots = await ownBots().catch(rethrowAsUserError);
    if (failed !== undefined) {
      for (const bot of botsNamed(bots, failed))
        await replayFailed(bot, { send_reply, dry_run }).catch(rethrowAsUserError);
      return 0;
    }
    let isWell = true;
    for (const id of ids) isWell = (await replayOne(bots, id, { send_reply, dry_run })) && isWell;
    return isWell ? 0 : 1;
  },
});

function parseDeliveryId(text: string): string {
  const id = DeliveryId.safeParse(text);
  if (!id.success)
    throw new SyntaxError('write the id of a delivery, as "bellhop bot deliveries" shows it');
  return id.data;
}

interface Options {
  readonly send_reply: boolean;
  readonly dry_run: boolean;
}

async function replayFailed({ bot_id, client }: OwnBot, options: Options): Promise<void> {
  const { count } = await client.botDeliveries.replayMany({ bot_id, status: 'failed', ...options });
  const what = options.dry_run
    ? 'failed deliveries would be sent again'
    : 'failed deliveries are sent again: see "bellhop bot deliveries"';
  console.log(`${count} ${what}.`);
}

/** Replays a delivery and prints the result; whether the bot answered well. */
async function replayOne(
  bots: readonly OwnBot[],
  id: string,
  { send_reply, dry_run }: Options,
): Promise<boolean> {
  const { bot, delivery } = await findDelivery(bots, DeliveryId.parse(id));
  if (dry_run) {
    console.log(deliveryLine(delivery, bot.name));
    return true;
  }
  const { bot_id, client } = bot;
  const asked = { bot_id, delivery_id: delivery.id, send_reply };
  const { delivery_id } = await client.botDeliveries.replay(asked);
  const ended = await endedDelivery(bot, delivery_id, PATIENCE_MS);
  console.log(deliveryLine(ended, bot.name));
  return ended.status === 'delivered';
}

const LOOK_MS = 150;
const UNFINISHED: readonly string[] = ['pending', 'running', 'retrying'];

/** Waits until a delivery has ended; after the time limit returns it in its present state. */
async function endedDelivery(
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
