import { startTestChat, type TestChat } from '@bellhop/server/testing';

import { connectMcp, type McpClient, type McpClientOptions } from './mcp-client.ts';
import { bin } from './program.ts';

/** Options of `bellhop mcp`. */
type McpOptions = Partial<Omit<McpClientOptions, 'command'>>;

/**
 * A chat server with a bot of hamlet, the public channels `ops` and `lunch`, and the private `secrets` of
 * cordelia alone, whose history its subscribers share.
 */
export interface McpChat extends AsyncDisposable {
  readonly chat: TestChat;
  /** The bot, which is subscribed to no channel, with the variables of its login. */
  readonly bot: { readonly id: number; readonly env: Readonly<Record<string, string>> };
  /** Starts `bellhop mcp` as the bot, unless the options have another login. */
  readonly connect: (options?: McpOptions) => Promise<McpClient>;
  /** Sends a message to `channel>topic`. Resolves with its ID. */
  readonly say: (who: 'hamlet' | 'cordelia', place: string, content: string) => Promise<number>;
  /** The messages of `channel>topic` as `Name: content`, oldest first. */
  readonly textOf: (place: string) => Promise<string[]>;
}

export async function startMcpChat(env: Readonly<Record<string, string>> = {}): Promise<McpChat> {
  const chat = await startTestChat({ env });
  const { hamlet, cordelia } = chat.people;
  const { user_id: id, api_key } = await hamlet.client.bots.create({
    full_name: 'Helper',
    short_name: 'helper',
    bot_type: 1,
  });
  const { user } = await hamlet.client.users.get({ user_id: id });
  await hamlet.client.subscriptions.add({
    subscriptions: [{ name: 'ops', description: 'Operations' }, { name: 'lunch' }],
  });
  await cordelia.client.subscriptions.add({
    subscriptions: [{ name: 'secrets' }],
    invite_only: true,
    history_public_to_subscribers: true,
  });
  const bot = { id, env: { BOT_SITE: chat.url, BOT_EMAIL: user.email, BOT_API_KEY: api_key } };
  return {
    chat,
    bot,
    connect: ({ args = [], ...options } = {}) =>
      connectMcp({
        command: process.execPath,
        args: [bin, 'mcp', ...args],
        env: bot.env,
        ...options,
      }),
    async say(who, place, content) {
      const [to = '', topic = ''] = place.split('>');
      const { messages } = chat.people[who].client;
      return (await messages.send({ type: 'channel', to, topic, content })).id;
    },
    async textOf(place) {
      const [channel = '', topic = ''] = place.split('>');
      const { messages } = await hamlet.client.messages.fetch({
        narrow: [
          { operator: 'channel', operand: channel },
          { operator: 'topic', operand: topic },
        ],
        anchor: 'oldest',
        num_after: 100,
        apply_markdown: false,
      });
      return messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`);
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}
