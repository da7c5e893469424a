import { type Client, createClient } from '@bellhop/client';
import type { FetchedMessage } from '@bellhop/protocol';

import type { ChatDriver, Login } from './chat-driver.ts';
import { type ScriptedBot, startScriptedBot } from './scripted-bot.ts';

/** A bot of its own and a topic of its own in a channel of hamlet and cordelia. */
export interface Scene extends AsyncDisposable {
  readonly chat: ChatDriver;
  readonly bot: Login & { readonly token: string };
  readonly hook: ScriptedBot;
  readonly topic: string;
  readonly client: (who: Login) => Client;
  /** Cordelia mentions the bot, and everything that follows has happened. */
  readonly mention: (content?: string, to?: Place) => Promise<number>;
  /** Cordelia writes to the bot, and to others with it. */
  readonly direct: (content?: string, others?: readonly Login[]) => Promise<number>;
  /** What was said in a topic, without what asked for it. */
  readonly answersIn: (place?: Place) => Promise<string[]>;
  readonly answersBetween: (...others: Login[]) => Promise<string[]>;
  /** What the bot told its owner. */
  readonly toldOwner: () => Promise<string[]>;
}
interface Place {
  readonly channel?: string;
  readonly topic?: string;
}

export type Scenario = readonly [
  name: string,
  run: (scene: Scene) => Promise<void>,
  options?: SceneOptions,
];

let scenes = 0;
export const OPEN = 'stage';
export const CLOSED = 'backstage';

/** Makes the channels of all scenes: an open one, and one of cordelia alone. */
export async function prepare(chat: ChatDriver): Promise<void> {
  const { subscriptions } = clientOf(chat, chat.cordelia);
  const both = [chat.hamlet.email, chat.cordelia.email];
  await subscriptions.add({ subscriptions: [{ name: OPEN }], principals: both });
  await subscriptions.add({ subscriptions: [{ name: CLOSED }], invite_only: true });
}

const clientOf = ({ url }: ChatDriver, { email, apiKey }: Login) =>
  createClient({ url, email, apiKey });

export interface SceneOptions {
  readonly interface?: 'generic' | 'slack';
}

export async function openScene(
  chat: ChatDriver,
  { interface: form = 'generic' }: SceneOptions = {},
): Promise<Scene> {
  const name = `Bot${++scenes}`;
  const topic = `scene ${scenes}`;
  const hook = await startScriptedBot();
  const bot = await chat.addBot({ name, payloadUrl: hook.url, interface: form });
  const { messages } = clientOf(chat, chat.cordelia);
  const after = async (sent: Promise<{ id: number }>) => {
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
  const saidByBot = (found: readonly FetchedMessage[]) =>
    found.filter(({ sender_id }) => sender_id === bot.user_id).map(({ content }) => content);
  return {
    chat,
    bot,
    hook,
    topic,
    client: (who) => clientOf(chat, who),
    mention: (content = `@**${name}** hi`, { channel = OPEN, topic: where = topic } = {}) =>
      after(messages.send({ type: 'channel', to: channel, topic: where, content })),
    direct: (content = 'hi', others = []) => {
      const to = [bot, ...others].map(({ user_id }) => user_id);
      return after(messages.send({ type: 'direct', to, content }));
    },
    async answersIn({ channel = OPEN, topic: where = topic } = {}) {
      const narrow = [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand: where },
      ];
      return saidByBot(await find(chat.cordelia, narrow));
    },
    async answersBetween(...others) {
      const ids = [bot, ...others].map(({ user_id }) => user_id);
      return saidByBot(await find(chat.cordelia, [{ operator: 'dm', operand: ids }]));
    },
    async toldOwner() {
      return saidByBot(await find(chat.hamlet, [{ operator: 'dm', operand: [bot.user_id] }]));
    },
    [Symbol.asyncDispose]: () => hook[Symbol.asyncDispose](),
  };
}
