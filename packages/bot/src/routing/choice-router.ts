import { randomUUID } from 'node:crypto';

import type { UserId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import {
  type Answerers,
  type Choice,
  type MissedChoice,
  optionIn,
  type PendingChoice,
  type Question,
  questionReply,
  reactedOption,
  type TakenChoice,
} from '../choices/choice.ts';
import { pendingChoices } from '../choices/pending-choices.ts';
import { actorOf, isAddressed } from '../delivery.ts';
import { conversationKey } from '../rest/conversation.ts';
import type { HandlerResult } from '../rest/reply.ts';
import { scopeKey } from '../sessions/scope-key.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { mayUse } from './permission.ts';
import type { Turn } from './turn.ts';

export type ChoiceHandler = (turn: Turn, choice: Choice) => HandlerResult | Promise<HandlerResult>;

interface ChoiceRouterOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Schedules the end of a question, for a choice with `timedOut`. */
  readonly later: (turn: Turn, afterMs: number, missed: JsonValue) => Promise<void>;
}

const HOUR_MS = 3_600_000;
const MAX_OPTIONS = 9;
const MAX_OPTION_LENGTH = 100;

/** The questions with a choice of answers, and their handlers by name. */
export function choiceRouter({ store, now, later }: ChoiceRouterOptions) {
  const handlers = new Map<string, { readonly handle: ChoiceHandler; readonly expires: boolean }>();
  const pending = pendingChoices({ store, now });

  return {
    get size(): number {
      return handlers.size;
    },

    /** With `expires`, a question that nobody answers in time is reported by `later`. */
    add(name: string, handle: ChoiceHandler, expires = false): void {
      if (handlers.has(name))
        throw new BotError('config_invalid', `The choice "${name}" is already declared.`);
      handlers.set(name, { handle, expires });
    },

    /** Asks a question. Returns it for the handler to return. */
    async choose(turn: Turn, name: string, asked: Question): Promise<HandlerResult> {
      const { question, options, by = 'asker', timeoutMs = HOUR_MS, data = null } = asked;
      const declared = handlers.get(name);
      if (declared === undefined)
        throw new BotError(
          'config_invalid',
          `There is no choice "${name}": declare it with bot.choice.`,
        );
      checkOptions(options);
      const { id: askedBy } = turn.actor;
      const expiresAt = now() + timeoutMs;
      const id = randomUUID();
      const key = keyOf(turn);
      const reply = questionReply(asked);
      const sent = { content: reply.content.trim(), after: turn.context.message.id };
      // First: nothing is asked that cannot end as it was promised.
      if (asked.expires ?? declared.expires) {
        const conversation = { ...turn.context.conversation };
        await later(turn, timeoutMs, {
          key,
          id,
          name,
          missed: { question, data, askedBy, conversation },
        } as unknown as JsonValue);
      }
      await pending.add(key, {
        id,
        name,
        question,
        options,
        by,
        askedBy,
        data,
        expiresAt,
        ...sent,
      });
      await turn.expectAnswers(timeoutMs);
      return reply;
    },

    /** Takes the message as an answer if a question waits for it, and calls `next` if not. */
    async answer(turn: Turn, next: () => Promise<HandlerResult>): Promise<HandlerResult> {
      const key = keyOf(turn);
      // A message that is handled again after a session conflict has been taken already.
      const taken = (turn.chosen ??= await take(turn, key));
      if (taken === 'none') return next();
      if ('refusal' in taken) return isAddressed(turn.context) ? taken.refusal : undefined;
      const { asked, option } = taken;
      if (turn.context.reaction !== undefined) turn.answerWith(option);
      const choice = { option, data: asked.data, askedBy: asked.askedBy as UserId };
      try {
        const result = await handlers.get(asked.name)?.handle(turn, choice);
        await pending.remove(key, asked.id);
        return result;
      } catch (error) {
        await pending.giveBack(key, asked.id);
        throw error;
      }
    },

    /** Drops the questions of a kind that the sender of a message has asked for. */
    forget: async (turn: Turn, name: string): Promise<void> =>
      void (await pending.removeOf(keyOf(turn), name, turn.actor.id)),

    /** Ends a question whose time has passed; undefined if it has been answered. */
    async expire(scheduled: unknown): Promise<ExpiredChoice | undefined> {
      const { key, id, name, missed } = scheduled as ExpiredChoice & { key: string; id: string };
      return (await pending.remove(key, id, { unanswered: true })) ? { name, missed } : undefined;
    },
  };

  async function take(turn: Turn, key: string): Promise<TakenChoice> {
    let refusal: string | undefined;
    for (const asked of await pending.open(key)) {
      const option = answerTo(asked, turn);
      if (option === undefined || !handlers.has(asked.name)) continue;
      if (!(await mayAnswer(turn, asked))) refusal ??= refusalOf(asked.by);
      else if (await pending.take(key, asked.id, answerId(turn))) return { asked, option };
    }
    return refusal === undefined ? 'none' : { refusal };
  }
}

export type ChoiceRouter = ReturnType<typeof choiceRouter>;

export interface ExpiredChoice {
  readonly name: string;
  readonly missed: MissedChoice<never>;
}

const keyOf = ({ delivery }: Turn) =>
  scopeKey('choice', 'conversation', {
    botEmail: delivery.botEmail,
    conversation: conversationKey(delivery),
    senderId: actorOf(delivery).id,
  });

/** The option that a message or a reaction picks; undefined if it does not answer the question. */
function answerTo(asked: PendingChoice, { delivery, context }: Turn) {
  const { text, reaction } = context;
  if (reaction === undefined) return optionIn(asked.options, text);
  const { id, content, sender } = delivery.message;
  const isOwn = sender.email.toLowerCase() === delivery.botEmail.toLowerCase();
  // An earlier question may have the same text, so this one must be newer than the message that led
  // to it.
  const isQuestion = content.trim() === asked.content && id > (asked.after ?? Infinity);
  return isOwn && isQuestion && !reaction.isRemoved
    ? reactedOption(asked.options, reaction)
    : undefined;
}

/** Identifies an answer: a message by its ID, a reaction by its own. */
const answerId = ({ delivery: { message, change } }: Turn): number | string =>
  change?.id ?? message.id;

async function mayAnswer(turn: Turn, { by, askedBy }: PendingChoice): Promise<boolean> {
  const { id } = turn.actor;
  if (typeof by !== 'string') return by.includes(id);
  if (by === 'anyone') return true;
  if (by === 'asker') return id === askedBy;
  return by === 'others' ? id !== askedBy : mayUse(turn, by);
}

function refusalOf(by: Answerers): string {
  if (by === 'asker') return 'Only the person who asked may answer that.';
  if (by === 'others') return 'Somebody else must answer that.';
  if (typeof by === 'string') return `That is for people with the role ${by} or above.`;
  return 'You may not answer that.';
}

function checkOptions(options: readonly string[]): void {
  const distinct = new Set(options.map((option) => option.trim().toLowerCase()));
  const isLong = options.some((option) => option.length > MAX_OPTION_LENGTH);
  const isWrong = options.length === 0 || options.length > MAX_OPTIONS || isLong;
  if (isWrong || distinct.size < options.length || distinct.has(''))
    throw new RangeError(
      `A choice has 1 to ${MAX_OPTIONS} different options of 1 to ${MAX_OPTION_LENGTH} characters.`,
    );
}
