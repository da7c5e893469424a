import type { MessageId } from '@bellhop/protocol';

import type {
  ChooseOptions,
  ChooseToOptions,
  PostedQuestion,
  Question,
} from '../choices/choice.ts';
import type { Clock } from '../clock.ts';
import type { AnyContext, PastMessage } from '../context.ts';
import type { ChannelMessage, Delivery, Person, Reaction } from '../delivery.ts';
import type { FollowUps } from '../follow-ups/follow-ups.ts';
import type { Conversation } from '../rest/conversation.ts';
import { MAX_HISTORY } from '../rest/history.ts';
import type { PostedMessage } from '../rest/posted-message.ts';
import { type CheckedReply, type HandlerResult, toReply } from '../rest/reply.ts';
import type { Rest } from '../rest/rest.ts';
import { streamReply } from '../rest/stream-reply.ts';
import { chunksOf } from '../rest/stream-source.ts';
import {
  isResolved,
  reopenedName,
  resolvedName,
  type Thread,
  type TopicMove,
} from '../rest/thread.ts';
import type { JsonValue } from '../stores/store.ts';
import { addressedText, mayMention } from './addressed-text.ts';

type Fields = AnyContext;

/** The run of a delivery, as its context uses it. */
export interface ContextRun {
  readonly signal: AbortSignal;
  readonly replies: {
    /** The conversation that replies go to. */
    readonly conversation: Conversation;
    readonly add: (reply: CheckedReply) => Promise<void>;
    /** Sends the replies made so far, before the handler sends something by REST itself. */
    readonly beforeRest: () => Promise<void>;
    /** Moves the topic of the delivery; later replies go to its new place. */
    readonly moveTopic: (to: TopicMove) => Promise<void>;
  };
}

/** The turn of a delivery, as its context uses it. */
interface ContextTurn {
  readonly delivery: Delivery;
  readonly run: ContextRun;
  readonly actor: Person;
  readonly channelMessage: ChannelMessage | undefined;
  /** Throws BotError `api_missing` for a bot without an API key. */
  readonly rest: Rest;
  readonly services: {
    readonly pauseClock: Clock;
    readonly followUps: () => FollowUps;
    readonly later: (name: string, at: Date | number, data: JsonValue) => Promise<string>;
    readonly cancelTask: Fields['cancelTask'];
    readonly listTasks: Fields['tasks'];
  };
  readonly begin: Fields['begin'];
  readonly choose: (choice: string, question: Question) => Promise<HandlerResult>;
  readonly ask: (choice: string, question: PostedQuestion) => Promise<PostedMessage>;
}

const HOUR_MS = 3_600_000;

/**
 * The context of a delivery, with the fields of all kinds; the router decides which are set. Its functions
 * are fields and do not use `this` of their caller, so that handlers can destructure it. What a handler
 * seldom reads is computed when it is read; in an object literal such getters cost ten times as much
 * as all the rest.
 */
export class HandlerContext {
  trigger: Delivery['trigger'];
  message: Delivery['message'];
  text: string;
  session: unknown = undefined;
  command: string | undefined = undefined;
  args: unknown = undefined;
  askedBy: Person | undefined = undefined;
  match: RegExpExecArray | undefined = undefined;
  readonly bot: Fields['bot'];
  readonly by: Person | undefined;
  readonly reaction: Reaction | undefined;
  readonly earlierContent: string | undefined;
  readonly #turn: ContextTurn;

  constructor(turn: ContextTurn) {
    const { delivery } = turn;
    this.#turn = turn;
    this.trigger = delivery.trigger;
    this.message = delivery.message;
    this.text = addressedText(delivery.message, delivery);
    this.bot = { email: delivery.botEmail, fullName: delivery.botFullName };
    this.by = delivery.trigger === 'delete' ? undefined : turn.actor;
    this.reaction = delivery.change?.reaction;
    this.earlierContent = delivery.change?.earlierContent;
  }

  get conversation(): Fields['conversation'] {
    return this.#turn.run.replies.conversation;
  }

  get signal(): Fields['signal'] {
    return this.#turn.run.signal;
  }

  get thread(): Fields['thread'] {
    return threadOf(this.#turn);
  }

  get client(): Fields['client'] {
    return this.#turn.rest.client;
  }

  readonly reply: Fields['reply'] = async (result) => {
    const reply = toReply(result);
    if (reply !== undefined) await this.#turn.run.replies.add(reply);
  };

  readonly post: Fields['post'] = async (message, to) => {
    const { rest, run } = this.#turn;
    await run.replies.beforeRest();
    return rest.post(message, to ?? run.replies.conversation);
  };

  readonly edit: Fields['edit'] = async (messageId, content) =>
    this.#turn.rest.edit(messageId as MessageId, content);

  readonly stream: Fields['stream'] = async (source, options = {}) => {
    const { rest, run, services } = this.#turn;
    await run.replies.beforeRest();
    const to = { rest, conversation: run.replies.conversation };
    const { signal } = run;
    const clock = services.pauseClock;
    return streamReply(to, await chunksOf(source), { ...options, signal, clock });
  };

  readonly later: Fields['later'] = (task, at, data) => this.#turn.services.later(task, at, data);
  readonly cancelTask: Fields['cancelTask'] = (id) => this.#turn.services.cancelTask(id);
  readonly tasks: Fields['tasks'] = () => this.#turn.services.listTasks();

  readonly begin: Fields['begin'] = (dialog, texts) => this.#turn.begin(dialog, texts);

  // The overloads of the type say which of the two resolves with what.
  readonly choose = ((
    choice: string,
    question: string,
    { to, ...options }: ChooseOptions | ChooseToOptions,
  ) =>
    to === undefined
      ? this.#turn.choose(choice, { question, ...options })
      : this.#turn.ask(choice, { question, ...options, to })) as Fields['choose'];

  readonly subscribe: Fields['subscribe'] = async ({ forMs = HOUR_MS } = {}) => {
    if (!(forMs > 0)) throw new RangeError('`forMs` must be above 0.');
    const { channelMessage, services } = this.#turn;
    if (channelMessage) await services.followUps().subscribe(channelMessage, forMs);
  };

  readonly unsubscribe: Fields['unsubscribe'] = async () => {
    const { channelMessage, services } = this.#turn;
    if (channelMessage) await services.followUps().unsubscribe(channelMessage);
  };

  readonly history: Fields['history'] = (count) => historyOf(this.#turn, this.message.id, count);

  readonly attachments: Fields['attachments'] = async () =>
    this.#turn.rest.attachments(this.message.content);

  readonly react: Fields['react'] = async (emojiName) =>
    this.#turn.rest.react(this.message.id, emojiName);

  readonly unreact: Fields['unreact'] = async (emojiName) =>
    this.#turn.rest.unreact(this.message.id, emojiName);

  readonly upload: Fields['upload'] = async (file) => this.#turn.rest.upload(file);

  readonly user: Fields['user'] = async (who = this.#turn.actor) => this.#turn.rest.user(who);
}

function threadOf({ channelMessage, run }: ContextTurn): Thread {
  const topic = channelMessage?.topic ?? '';
  const move = (to: TopicMove) => run.replies.moveTopic(to);
  return {
    isResolved: isResolved(topic),
    resolve: async () => move({ topic: resolvedName(topic) }),
    reopen: async () => move({ topic: reopenedName(topic) }),
    rename: (name) => move({ topic: name }),
    moveTo: move,
  };
}

async function historyOf(
  turn: ContextTurn,
  before: MessageId,
  count = 20,
): Promise<readonly PastMessage[]> {
  if (!(Number.isInteger(count) && count >= 1 && count <= MAX_HISTORY))
    throw new RangeError(`ctx.history takes a number from 1 to ${MAX_HISTORY}.`);
  const { delivery, rest, run } = turn;
  const { conversation } = run.replies;
  const range = { before, limit: count };
  const found = await rest.history(conversation, range);
  // Earlier messages may mention the bot by an earlier name: their HTML has the ID.
  const rendered = found.some(({ content }) => mayMention(content, delivery))
    ? await rest.history(conversation, { ...range, rendered: true })
    : [];
  const html = new Map(rendered.map(({ id, content }) => [id, content]));
  const own = delivery.botEmail.toLowerCase();
  return found.map((one) => ({
    ...one,
    text: addressedText({ ...one, renderedContent: html.get(one.id) ?? '' }, delivery),
    isOwn: one.sender.email.toLowerCase() === own,
  }));
}
