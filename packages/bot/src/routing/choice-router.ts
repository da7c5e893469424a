import { randomUUID } from 'node:crypto';

import type { UserId } from '@bellhop/protocol';

import { BotError, misconfigured } from '../bot-error.ts';
import {
  type Answerers,
  type Choice,
  type MissedChoice,
  optionIn,
  type PendingChoice,
  type PostedQuestion,
  type Question,
  questionReply,
  reactedOption,
  type TakenChoice,
} from '../choices/choice.ts';
import { isLateAnswer, lateReply } from '../choices/ended-choice.ts';
import { pendingChoices } from '../choices/pending-choices.ts';
import { isAddressed } from '../delivery.ts';
import type { ChannelTopic } from '../follow-ups/follow-ups.ts';
import { type Conversation, destinationKey } from '../rest/conversation.ts';
import type { PostedMessage } from '../rest/posted-message.ts';
import type { HandlerResult } from '../rest/reply.ts';
import { requireRest } from '../rest/rest.ts';
import { scopeKey } from '../sessions/scope-key.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { mayUse } from './permission.ts';
import { showEnd } from './show-end.ts';
import type { BotServices, Turn } from './turn.ts';

export type ChoiceHandler = (turn: Turn, choice: Choice) => HandlerResult | Promise<HandlerResult>;

interface ChoiceRouterOptions {
  readonly store: Store;
  readonly now: () => number;
  /**
   * Schedules the end of a question. With `isPromised` (a choice with `timedOut`) it rejects if nothing
   * could ever run it.
   */
  readonly later: (services: BotServices, end: ScheduledEnd) => Promise<void>;
}

export interface ScheduledEnd {
  readonly afterMs: number;
  readonly data: JsonValue;
  readonly isPromised: boolean;
}

/** Where a question is asked, and for whom. */
interface Asking {
  readonly services: BotServices;
  readonly conversation: Conversation;
  /** The topic of the question if it is in a channel. */
  readonly topic: ChannelTopic | undefined;
  readonly askedBy: number | undefined;
  /** The message that has led to the question. */
  readonly after?: number;
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

    /** Asks a question in the conversation of a message. Returns it for the handler to return. */
    async choose(turn: Turn, name: string, asked: Question): Promise<HandlerResult> {
      const { conversation, message } = turn.context;
      check(name, asked, turn.actor.id);
      return (
        await enter(name, asked, {
          services: turn.services,
          conversation,
          topic: turn.channelMessage,
          askedBy: turn.actor.id,
          after: message.id,
        })
      ).reply;
    },

    /** Posts a question to a conversation, for a handler of a message or for nobody. */
    async ask(
      services: BotServices,
      name: string,
      asked: PostedQuestion,
      askedBy?: number,
    ): Promise<PostedMessage> {
      const rest = requireRest(services.rest);
      check(name, asked, askedBy);
      const { conversation, topic } = await rest.locate(asked.to);
      const { key, id, reply } = await enter(name, asked, {
        services,
        conversation,
        topic,
        askedBy,
      });
      try {
        const posted = await rest.post(reply, asked.to);
        await pending.note(key, id, { messageId: posted.id });
        return posted;
      } catch (error) {
        await pending.remove(key, id);
        throw error;
      }
    },

    /** Takes the message as an answer if a question waits for it, and calls `next` if not. */
    async answer(turn: Turn, next: () => Promise<HandlerResult>): Promise<HandlerResult> {
      const key = keyOf(turn.services, turn.context.conversation);
      // A message that is handled again after a session conflict has been taken already.
      const taken = (turn.chosen ??= await take(turn, key));
      if (taken === 'none') return next();
      if (taken === 'repeated') return undefined;
      if ('late' in taken) return taken.late;
      if ('refusal' in taken) return isAddressed(turn.context) ? taken.refusal : undefined;
      const { asked, option } = taken;
      if (turn.context.reaction !== undefined) turn.answerWith(option);
      const choice = { option, data: asked.data, askedBy: asked.askedBy as UserId | undefined };
      try {
        const result = await handlers.get(asked.name)?.handle(turn, choice);
        const ended = await pending.end(key, asked.id);
        if (ended) await show(turn, key, ended);
        return result;
      } catch (error) {
        await pending.giveBack(key, asked.id);
        throw error;
      }
    },

    /** Ends the questions of a kind that the sender of a message has asked for. */
    async forget(turn: Turn, name: string): Promise<void> {
      const key = keyOf(turn.services, turn.context.conversation);
      for (const ended of await pending.withdraw(key, name, turn.actor.id))
        await show(turn, key, ended);
    },

    /** Ends a question whose time has passed; undefined if it has been answered. */
    async expire(services: BotServices, scheduled: unknown): Promise<ExpiredChoice | undefined> {
      const { key, id, name, missed } = scheduled as ExpiredChoice & { key: string; id: string };
      const ended = await pending.expire(key, id);
      if (ended === undefined) return undefined;
      await showEnd(services, ended, missed.conversation);
      await pending.note(key, id, { isShown: true });
      return { name, missed };
    },
  };

  /** Throws for a question that cannot be asked as it promises. */
  function check(name: string, { options, by }: Question, askedBy: number | undefined): void {
    if (!handlers.has(name))
      throw misconfigured(`There is no choice "${name}": declare it with bot.choice.`);
    checkOptions(options);
    if (askedBy === undefined && (by === undefined || by === 'asker' || by === 'others'))
      throw misconfigured(
        `Nobody has asked for the choice "${name}": say with \`by\` who may answer ('anyone', a role or user IDs).`,
      );
  }

  /** Keeps a question before it is asked. */
  async function enter(
    name: string,
    asked: Question,
    { services, conversation, topic, askedBy, after }: Asking,
  ) {
    const { question, options, by = 'asker', timeoutMs = HOUR_MS, data = null } = asked;
    const id = randomUUID();
    const key = keyOf(services, conversation);
    const reply = questionReply(asked);
    const asker = askedBy === undefined ? {} : { askedBy };
    // First: nothing is asked that cannot end as it was promised.
    const missed = { question, data, ...asker, conversation: { ...conversation } };
    await later(services, {
      afterMs: timeoutMs,
      data: { key, id, name, missed } as unknown as JsonValue,
      isPromised: asked.expires ?? handlers.get(name)?.expires ?? false,
    });
    const expiresAt = now() + timeoutMs;
    const kept = { id, name, question, options, by, ...asker, data, expiresAt };
    const content = reply.content.trim();
    await pending.add(key, { ...kept, content, ...(after === undefined ? {} : { after }) });
    if (services.rest !== undefined && topic !== undefined)
      await services.expectAnswers(services.followUps(), topic, timeoutMs);
    return { key, id, reply };
  }

  async function show({ services, context }: Turn, key: string, ended: PendingChoice) {
    await showEnd(services, ended, context.conversation);
    await pending.note(key, ended.id, { isShown: true });
  }

  async function take(turn: Turn, key: string): Promise<TakenChoice> {
    let refusal: string | undefined;
    let late: PendingChoice | undefined;
    const answeredBy = answerId(turn);
    for (const asked of await pending.known(key)) {
      const option = answerTo(asked, turn);
      if (option === undefined || !handlers.has(asked.name)) continue;
      const isAnswered = asked.answeredBy !== undefined && asked.answeredBy !== answeredBy;
      if (!pending.isOpen(asked) || isAnswered) {
        if (asked.answeredBy === answeredBy) return 'repeated';
        late ??= asked;
      } else if (await mayAnswer(turn, asked)) {
        const { id, fullName } = turn.actor;
        const answer = { option, by: { id, fullName }, at: now() };
        if (await pending.take(key, asked.id, { answeredBy, answer })) return { asked, option };
        // Somebody else was faster: the list says who.
        return take(turn, key);
      } else refusal ??= refusalOf(asked.by);
    }
    if (refusal !== undefined) return { refusal };
    if (late === undefined || !isLate(late, turn)) return 'none';
    if (!(await pending.tell(key, late.id, turn.actor.id))) return 'none';
    return { late: lateReply(late, turn.actor) };
  }

  function isLate(asked: PendingChoice, { context, actor }: Turn): boolean {
    const { text, reaction } = context;
    const said = { text, by: actor, isAddressed: isAddressed(context), now: now() };
    return reaction === undefined && isLateAnswer(asked, said);
  }
}

export type ChoiceRouter = ReturnType<typeof choiceRouter>;

export interface ExpiredChoice {
  readonly name: string;
  readonly missed: MissedChoice<never>;
}

const keyOf = ({ email }: Pick<BotServices, 'email'>, conversation: Conversation): string =>
  scopeKey('choice', 'conversation', {
    botEmail: email,
    conversation: destinationKey(conversation),
    senderId: 0,
  });

/** The option that a message or a reaction picks; undefined if it does not answer the question. */
function answerTo(asked: PendingChoice, { delivery, context }: Turn) {
  const { text, reaction } = context;
  if (reaction === undefined) return optionIn(asked.options, text);
  const { id, content, sender } = delivery.message;
  const isOwn = sender.email.toLowerCase() === delivery.botEmail.toLowerCase();
  // An earlier question may have the same text, so this one must be newer than the message that led
  // to it.
  const isQuestion =
    asked.messageId === undefined
      ? content.trim() === asked.content && id > (asked.after ?? Infinity)
      : id === asked.messageId;
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
