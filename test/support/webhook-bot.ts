import { type Client, createClient } from '@bellhop/client';
import { type FetchedMessage, WebhookPayload } from '@bellhop/protocol';

import type { ChatDriver, Login } from './chat-driver.ts';
import { type ScriptedBot, startScriptedBot } from './scripted-bot.ts';

/** A new outgoing webhook bot of hamlet, and a new topic in a channel of hamlet and cordelia. */
export interface WebhookBot extends AsyncDisposable {
  readonly chat: ChatDriver;
  readonly bot: Login & { readonly token: string };
  readonly hook: ScriptedBot;
  readonly topic: string;
  readonly client: (who: Login) => Client;
  /** Cordelia mentions the bot. Resolves with the id of the message after all deliveries. */
  readonly mention: (content?: string, to?: ChannelTopic) => Promise<number>;
  /** Cordelia writes to the bot and others. Resolves with the id of the message after all deliveries. */
  readonly direct: (content?: string, others?: readonly Login[]) => Promise<number>;
  /** The bot's messages in a topic. */
  readonly repliesIn: (topic?: ChannelTopic) => Promise<string[]>;
  /** The bot's messages in the direct conversation of cordelia, the bot and others. */
  readonly directReplies: (...others: Login[]) => Promise<string[]>;
  /** The bot's direct messages to its owner. */
  readonly ownerNotices: () => Promise<string[]>;
}
interface ChannelTopic {
  readonly channel?: string;
  readonly topic?: string;
}

export type Scenario = readonly [
  name: string,
  run: (fixture: WebhookBot) => Promise<void>,
  options?: WebhookBotOptions,
];

let count = 0;
export const PUBLIC_CHANNEL = 'stage';
export const PRIVATE_CHANNEL = 'backstage';

/** Creates the channels of all webhook bots: a public one, and a private one of cordelia alone. */
export async function createChannels(chat: ChatDriver): Promise<void> {
  const { subscriptions } = clientOf(chat, chat.cordelia);
  const both = [chat.hamlet.email, chat.cordelia.email];
  await subscriptions.add({ subscriptions: [{ name: PUBLIC_CHANNEL }], principals: both });
  await subscriptions.add({ subscriptions: [{ name: PRIVATE_CHANNEL }], invite_only: true });
}

const clientOf = ({ url }: ChatDriver, { email, apiKey }: Login) =>
  createClient({ url, email, apiKey });

export interface WebhookBotOptions {
  readonly interface?: 'generic' | 'slack';
}

export async function createWebhookBot(
  chat: ChatDriver,
  { interface: form = 'generic' }: WebhookBotOptions = {},
): Promise<WebhookBot> {
  const name = `Bot${++count}`;
  const topic = `topic ${count}`;
  const hook = await startScriptedBot();
  const bot = await chat.addBot({ name, payloadUrl: hook.url, interface: form });
  const { messages } = clientOf(chat, chat.cordelia);
  const afterDeliveries = async (sent: Promise<{ id: number }>) => {
    const { id } = await sent;
    await chat.settled();
    return id;
  };
  const find = async (who: Login, narrow: { operator: string; operand: string | number[] }[]) => {
    const found = await clientOf(chat, who).messages.fetch({
      anchor: 'newest',
      num_before: 100,
      narrow,
      apply_markdown: false,
      allow_empty_topic_name: true,
    });
    return found.messages;
  };
  const contentsByBot = (found: readonly FetchedMessage[]) =>
    found.filter(({ sender_id }) => sender_id === bot.user_id).map(({ content }) => content);
  return {
    chat,
    bot,
    hook,
    topic,
    client: (who) => clientOf(chat, who),
    mention: (
      content = `@**${name}** hi`,
      { channel = PUBLIC_CHANNEL, topic: where = topic } = {},
    ) => afterDeliveries(messages.send({ type: 'channel', to: channel, topic: where, content })),
    direct: (content = 'hi', others = []) => {
      const to = [bot, ...others].map(({ user_id }) => user_id);
      return afterDeliveries(messages.send({ type: 'direct', to, content }));
    },
    async repliesIn({ channel = PUBLIC_CHANNEL, topic: where = topic } = {}) {
      const narrow = [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand: where },
      ];
      return contentsByBot(await find(chat.cordelia, narrow));
    },
    async directReplies(...others) {
      const ids = [bot, ...others].map(({ user_id }) => user_id);
      return contentsByBot(await find(chat.cordelia, [{ operator: 'dm', operand: ids }]));
    },
    async ownerNotices() {
      return contentsByBot(await find(chat.hamlet, [{ operator: 'dm', operand: [bot.user_id] }]));
    },
    [Symbol.asyncDispose]: () => hook[Symbol.asyncDispose](),
  };
}

export const payloadOf = ({ hook }: WebhookBot, at = 0) =>
  WebhookPayload.parse(JSON.parse(hook.received[at]?.body ?? 'null'));
