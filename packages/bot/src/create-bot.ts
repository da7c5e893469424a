import {
  type CommandContext,
  type Context,
  contextOf,
  type DirectMessageContext,
  type MentionContext,
} from './context.ts';
import type { Delivery, Trigger } from './delivery.ts';
import { type HandlerResult, type Reply, toReply } from './reply.ts';
import { splitWords } from './split-words.ts';
import { tokenDigests } from './token-digests.ts';

export type Handler<C> = (context: C) => HandlerResult | Promise<HandlerResult>;

/** Undefined is accepted so that environment variables can be passed on: it is refused clearly. */
export interface BotIdentity {
  readonly email: string | undefined;
  /** The live token of the bot's outgoing webhook, or several while one is being replaced. */
  readonly token: string | readonly string[] | undefined;
}

interface Contexts {
  mention: MentionContext;
  direct_message: DirectMessageContext;
}

type Handlers<T extends Trigger> = { [K in T]: Handler<Contexts[K]> | undefined };

/** The first that matches answers: a command, then the trigger, then the fallback. */
export interface Bot {
  readonly email: string;
  readonly tokenDigests: readonly Buffer[];
  /** Answers direct messages to the bot, or mentions of it, that are no command. */
  on<T extends Trigger>(trigger: T, handler: Handler<Contexts[T]>): Bot;
  /** Answers messages whose first word to the bot is `name`, in capitals or not. */
  command(name: string, handler: Handler<CommandContext>): Bot;
  /** Answers what nothing else did. */
  fallback(handler: Handler<Context>): Bot;
  /** Runs the handler of a verified delivery; undefined is silence. Rejects as the handler does. */
  handle(delivery: Delivery): Promise<Reply | undefined>;
}

/** Makes a bot. Throws when its e-mail or its token is missing: there is no default. */
export function createBot({ email, token }: BotIdentity): Bot {
  if (email === undefined || email.trim() === '') {
    throw new TypeError('createBot: no email. Give the e-mail address of the bot user.');
  }
  const commands = new Map<string, { name: string; handler: Handler<CommandContext> }>();
  const byTrigger: Handlers<Trigger> = { mention: undefined, direct_message: undefined };
  let otherwise: Handler<Context> | undefined;

  function run(context: Context): HandlerResult | Promise<HandlerResult> {
    if (commands.size > 0) {
      const first = /^\S+/.exec(context.text)?.[0] ?? '';
      const command = commands.get(first.toLowerCase());
      if (command !== undefined) {
        const rest = context.text.slice(first.length).trim();
        return command.handler({
          ...context,
          command: command.name,
          rest,
          words: splitWords(rest),
        });
      }
    }
    if (context.trigger === 'mention') return (byTrigger.mention ?? otherwise)?.(context);
    return (byTrigger.direct_message ?? otherwise)?.(context);
  }

  const bot: Bot = {
    email: email.trim(),
    tokenDigests: tokenDigests(email, token),
    on<T extends Trigger>(trigger: T, handler: Handler<Contexts[T]>) {
      const handlers: Handlers<T> = byTrigger;
      if (handlers[trigger] !== undefined) throw taken(`for ${trigger}`);
      handlers[trigger] = handler;
      return bot;
    },
    command(name, handler) {
      if (!/^\S+$/.test(name)) throw new TypeError(`A command is one word, not "${name}".`);
      if (commands.has(name.toLowerCase())) throw taken(`for the command ${name}`);
      commands.set(name.toLowerCase(), { name, handler });
      return bot;
    },
    fallback(handler) {
      if (otherwise !== undefined) throw taken('as a fallback');
      otherwise = handler;
      return bot;
    },
    async handle(delivery) {
      let settled: Reply | undefined;
      let open = true;
      const settle = (value: unknown) => {
        const reply = toReply(value);
        if (reply === undefined) return;
        if (settled !== undefined || !open) throw secondReply();
        settled = reply;
      };
      const context = contextOf(delivery, (reply) => {
        settle(reply);
        return Promise.resolve();
      });
      try {
        settle(await run(context));
        return settled;
      } finally {
        open = false;
      }
    },
  };
  return bot;
}

const taken = (what: string) =>
  new TypeError(`There is a handler ${what} already, and the first would answer everything.`);

const secondReply = () =>
  new Error(
    'One reply fits in the answer to a webhook: ctx.reply was called twice, too late, or before ' +
      'returning another reply.',
  );
