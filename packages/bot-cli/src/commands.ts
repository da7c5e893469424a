import type { CommandEntry } from './command-line/command-tree.ts';

/** The commands of `bellhop bot` for a bot that is there. */
export const botCommands = {
  dev: {
    brief: 'Run a bot while you write it, through the event queue',
    load: async () => (await import('./bot/dev.ts')).dev,
  },
  chat: {
    brief: 'Talk to a bot in the terminal, without a server',
    load: async () => (await import('./bot/chat.ts')).chat,
  },
  receive: {
    brief: 'Give a recorded message to a bot and show its reply',
    load: async () => (await import('./bot/receive.ts')).receive,
  },
  deliveries: {
    brief: "Show what the chat server sent to a bot's webhook, and what came of it",
    load: async () => (await import('./bot/deliveries.ts')).deliveries,
  },
  replay: {
    brief: "Send messages to a bot's webhook once more",
    load: async () => (await import('./bot/replay.ts')).replay,
  },
} satisfies Readonly<Record<string, CommandEntry>>;

export const conformBot: CommandEntry = {
  brief: "Find the faults of a bot's webhook endpoint",
  load: async () => (await import('./conform/bot.ts')).conformBotCommand,
};

export const tryMessage: CommandEntry = {
  brief: 'Send a bot a direct message and show its reply',
  load: async () => (await import('./try/message.ts')).message,
};
