import { type BotDelivery, DeliveryId, DeliveryStatus, MessageId } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import {
  choiceFlag,
  optionalArgument,
  switchFlag,
  valueFlag,
  type FlagValues,
} from '../command-line/flags.ts';
import { rethrowAsUserError } from '../command-line/user-error.ts';
import { untilSignal } from '../until-signal.ts';
import { deliveryLine, deliveryText } from './deliveries/delivery-text.ts';
import { findDelivery } from './deliveries/find-delivery.ts';
import { botsNamed, loginHelp, type OwnBot, ownBots } from './deliveries/logins.ts';
import { watchDeliveries } from './deliveries/watch-deliveries.ts';

const flags = {
  follow: switchFlag('Go on with the deliveries as they end, until Ctrl-C'),
  failed: switchFlag('Only those that went wrong, wait for a retry, or were not sent'),
  status: choiceFlag('Only those in this state', DeliveryStatus.options),
  message: valueFlag(
    'Only those of the message with this id, or that it answers',
    'id',
    messageIdOf,
  ),
  json: switchFlag('One line of JSON for each delivery'),
};
type Flags = FlagValues<typeof flags>;

export const deliveries = defineCommand({
  description: `One line for each message that the chat server sent to a bot's webhook, the newest last: time
(UTC), bot, trigger, state, duration, what happened, id. With an id instead of a bot: what was sent,
each attempt with its time by step, and what the bot answered.

${loginHelp}`,
  flags,
  args: [
    optionalArgument(
      'bot or id',
      "A bot's name, e-mail address or id, or a delivery's id; all your bots if left out",
    ),
  ],
  async run({ follow, failed, status, message, json }, which) {
    const bots = await ownBots().catch(rethrowAsUserError);
    const id = DeliveryId.safeParse(which);
    if (id.success) {
      const { bot, delivery } = await findDelivery(bots, id.data);
      console.log(json ? JSON.stringify(delivery) : deliveryText(delivery, bot.name));
      return 0;
    }
    const named = botsNamed(bots, which);
    const names = new Map(named.map(({ bot_id, name }) => [bot_id, name]));
    const isWanted = (delivery: BotDelivery) => {
      if (!names.has(delivery.bot_id) || (failed && !isWrong(delivery))) return false;
      if (status !== undefined && delivery.status !== status) return false;
      const { message_id, reply } = delivery;
      return message === undefined || [message_id, reply.message_id].includes(message);
    };
    const print = (delivery: BotDelivery) => {
      if (!isWanted(delivery)) return;
      const name = names.get(delivery.bot_id) ?? '';
      console.log(json ? JSON.stringify(delivery) : deliveryLine(delivery, name));
    };
    if (!follow) {
      const found = await newest(named, { message_id: message, status }).catch(rethrowAsUserError);
      found.forEach(print);
      if (!found.some(isWanted) && !json)
        console.log(found.length > 0 ? NONE_WENT_WRONG : nothingFound(message, status));
      return 0;
    }
    return followBots(named, print, { message_id: message, status });
  },
});

const NONE_WENT_WRONG = 'None of the newest deliveries went wrong.';

const nothingFound = (message: Flags['message'], status: Flags['status']): string => {
  if (message !== undefined)
    return 'This message was sent to no webhook of your bots, or its deliveries are gone.';
  return status === undefined ? 'Nothing was sent to a webhook yet.' : `No delivery is ${status}.`;
};

/** Reads the value of --message. Throws an error that says what the flag takes. */
function messageIdOf(text: string): MessageId {
  const id = MessageId.safeParse(Number(text));
  if (id.success) return id.data;
  throw new Error('--message is the id of a message, a number');
}

interface Wanted {
  readonly message_id: MessageId | undefined;
  readonly status: DeliveryStatus | undefined;
}

/** The newest 50 deliveries of each bot that are wanted, the newest last. */
async function newest(
  bots: readonly OwnBot[],
  { message_id, status }: Wanted,
): Promise<BotDelivery[]> {
  const wanted = {
    ...(message_id !== undefined && { message_id }),
    ...(status !== undefined && { status }),
  };
  const lists = bots.map(({ bot_id, client }) => client.botDeliveries.list({ bot_id, ...wanted }));
  const all = (await Promise.all(lists)).flatMap((page) => page.deliveries);
  return all.toSorted((a, b) => a.created_ms - b.created_ms);
}

const isWrong = ({ status, error_code }: BotDelivery): boolean =>
  error_code !== null || ['failed', 'dropped', 'retrying'].includes(status);

function followBots(
  bots: readonly OwnBot[],
  print: (delivery: BotDelivery) => void,
  wanted: Wanted,
) {
  const clients = new Set(bots.map(({ client }) => client));
  return untilSignal({
    async start(stopping, end) {
      const isReady = [...clients].map((client) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const watching = watchDeliveries(client, print, { signal: stopping, onReady: resolve });
        const ended = watching.catch((error: unknown) => {
          console.error((error as Error).message);
          resolve();
          end();
        });
        return { promise, ended };
      });
      await Promise.all(isReady.map(({ promise }) => promise));
      (await newest(bots, wanted)).forEach(print);
      return async () => {
        await Promise.all(isReady.map(({ ended }) => ended));
      };
    },
  });
}
