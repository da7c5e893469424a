import { randomBytes } from 'node:crypto';

import type { MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import type { ChooseInWorkOptions, PostedQuestion } from '../choices/choice.ts';
import type { Clock } from '../clock.ts';
import type { ChoiceName, Names, TaskData, TaskName, TaskSchemas } from '../declared-names.ts';
import type { Failure, Warn } from '../hooks.ts';
import type { Destination } from '../rest/conversation.ts';
import type { PostedMessage } from '../rest/posted-message.ts';
import type { Rest } from '../rest/rest.ts';
import { type StreamOptions, streamReply } from '../rest/stream-reply.ts';
import { chunksOf, type StreamSource } from '../rest/stream-source.ts';
import type { StreamedReply } from '../rest/streamed-reply.ts';
import { type ChangeSession, changeSession } from '../sessions/change-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { checkWith } from '../sessions/standard-schema.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { type ScheduledRun, type ScheduleOptions, schedules } from './schedules.ts';
import { type DueTask, INTERNAL_TASK, type ScheduledTask, tasks } from './tasks.ts';

/** The REST API as handlers of schedules and tasks get it. */
export type RestAccess = Pick<Rest, 'post' | 'client'>;

/** The argument of the handler of a schedule. */
export type ScheduleContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> = ScheduledRun & WorkContext<Session, N>;

/** The services for the handlers of schedules and tasks. */
export interface WorkContext<Session, N extends Names | undefined = undefined> extends RestAccess {
  /** Edits a message of the bot by the ID that `post` returned. */
  readonly edit: (messageId: number, content: string) => Promise<void>;
  /** Sends a text while it is being produced, as `ctx.stream` of a message does. */
  readonly stream: (
    source: StreamSource,
    to: Destination,
    options?: StreamOptions,
  ) => Promise<StreamedReply>;
  /** Schedules a task for a time, or in so many milliseconds; the same task again, for example. */
  readonly later: <T extends TaskName<N>>(
    task: T,
    at: Date | number,
    data: TaskData<N, T>,
  ) => Promise<string>;
  readonly cancelTask: (id: string) => Promise<boolean>;
  /** The tasks of the bot that do not run yet, by the time when they are due. */
  readonly tasks: () => Promise<readonly ScheduledTask[]>;
  /**
   * Posts a question with several options to a conversation. The handler of `bot.choice` gets the
   * answer. `by` says who may give it, since nobody has asked. Resolves with the message.
   */
  readonly choose: (
    choice: ChoiceName<N>,
    question: string,
    options: ChooseInWorkOptions,
  ) => Promise<PostedMessage>;
  /**
   * Changes a session of the scope of the bot; `owner` names the user and the conversation if the
   * scope needs them.
   */
  readonly changeSession: ChangeSession<Session>;
}

/** The argument of the handler of a task. */
export interface TaskContext<
  Data,
  Session = undefined,
  N extends Names | undefined = undefined,
> extends WorkContext<Session, N> {
  readonly name: string;
  readonly data: Data;
  /** When the task was due, in milliseconds since 1970; after a restart it may be long ago. */
  readonly dueAt: number;
}

interface BackgroundWorkOptions {
  readonly botEmail: string;
  readonly clock: Clock;
  readonly store: Store;
  /** Undefined for a bot without sessions. */
  readonly sessions: Sessions<unknown> | undefined;
  /** The schemas of the data of tasks. */
  readonly schemas: TaskSchemas;
}

/** What schedules and tasks use where they run. */
interface WorkAccess {
  readonly services: WorkServices;
  /** Posts a question with a choice of answers. */
  readonly ask: (choice: string, question: PostedQuestion) => Promise<PostedMessage>;
  readonly onError: (failure: Failure) => void;
}

interface WorkServices {
  /** Undefined for a bot without an API key: its schedules and tasks fail. */
  readonly rest: Rest | undefined;
  readonly warn: Warn;
  /** Times the pauses between edits of a streamed text. */
  readonly pauseClock: Clock;
}

/** Handlers, whose contexts the builder has typed. The framework's own tasks also get the services. */
export type TaskHandler = (context: never, services: never) => unknown;
export type ScheduleHandler = (context: never) => unknown;

/** The schedules and tasks of a bot. */
export function backgroundWork(options: BackgroundWorkOptions) {
  const { botEmail, clock, store, sessions, schemas } = options;
  /** Whether the bot was started: its schedules and tasks run from then on. */
  const life = { started: false };
  const declarations: {
    readonly pattern: string;
    readonly options: ScheduleOptions;
    readonly handler: ScheduleHandler;
  }[] = [];
  const handlers = new Map<string, TaskHandler>();
  /** The tasks that are no reason to start the bot. */
  const optional = new Set<string>();
  /** Undefined while nothing runs. */
  let runner: WorkAccess | undefined;
  /** The starts of the bot that were not stopped: a program may start it more than once. */
  let starts = 0;
  /** Stops what runs. */
  let end: (() => Promise<unknown>) | undefined;
  /** Resolves when what ran has stopped. */
  let stopping: Promise<void> | undefined;

  const reportFailure = (error: unknown, name: string) =>
    runner?.onError({
      error,
      code: error instanceof BotError ? error.code : 'handler_failed',
      reference: randomBytes(4).toString('hex'),
      botEmail,
      work: name,
    });

  /** Adds the REST API to the argument of a handler. Throws BotError `api_missing` without it. */
  function withRest<T extends object>(argument: T, at: WorkAccess): T & WorkContext<unknown> {
    const { rest: access, pauseClock, warn } = at.services;
    if (access === undefined) {
      const message =
        'Schedules and tasks need the REST API: give createBot `api: { url, apiKey }`.';
      throw new BotError('api_missing', message);
    }
    return {
      ...argument,
      changeSession: changeSession(sessions, { botEmail, warn }),
      post: (message, to, options) => access.post(message, to, options),
      edit: (messageId, content) => access.edit(messageId as MessageId, content),
      stream: async (source, conversation, options) =>
        streamReply({ rest: access, conversation }, await chunksOf(source), {
          ...options,
          clock: pauseClock,
        }),
      later,
      cancelTask: (id) => botTasks.cancel(id),
      tasks: listTasks,
      choose: (choice, question, asked) => at.ask(choice, { question, ...asked }),
      get client() {
        return access.client;
      },
    };
  }

  const botTasks = tasks({
    store,
    botEmail,
    clock,
    onError: reportFailure,
    isDeclared: (name) => handlers.has(name),
    async perform(task: DueTask) {
      const data = await checked(task.name, task.data);
      if (runner === undefined) return;
      const context = withRest({ ...task, data }, runner);
      await handlers.get(task.name)?.(context as never, runner.services as never);
    },
  });

  /** The data of a task as its schema returns it. Throws BotError `config_invalid` if it refuses it. */
  async function checked(name: string, data: JsonValue): Promise<unknown> {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) return data;
    const result = await checkWith(schema, structuredClone(data));
    if (result.problems === undefined) return result.value;
    const message = `The data of the task "${name}" does not fit: ${result.problems.join('; ')}.`;
    throw new BotError('config_invalid', message);
  }

  async function later(name: string, at: Date | number, data: JsonValue): Promise<string> {
    if (!handlers.has(name))
      throw new BotError('config_invalid', `There is no task "${name}": declare it with bot.task.`);
    const dueAt = typeof at === 'number' ? clock.now() + at : at.getTime();
    if (!Number.isFinite(dueAt))
      throw new RangeError('A task needs a valid date or a number of milliseconds.');
    await checked(name, data);
    return botTasks.add({ name, data, dueAt });
  }

  /** The tasks that the bot has scheduled, without those of the framework. */
  async function listTasks(): Promise<readonly ScheduledTask[]> {
    const all = await botTasks.list();
    return all.filter(({ name }) => !name.startsWith(INTERNAL_TASK));
  }

  /** Throws BotError `config_invalid`. */
  function refuseAfterStart(work: string): void {
    if (!life.started) return;
    const message = `${work} is declared after the start of the bot, and would not run: declare it before.`;
    throw new BotError('config_invalid', message);
  }

  return {
    life,
    store,

    every(pattern: string, options: ScheduleOptions, handler: ScheduleHandler): void {
      refuseAfterStart(`The schedule "${pattern}"`);
      declarations.push({ pattern, options, handler });
    },

    /** With `isOptional`, the bot need not be started for it. */
    task(name: string, handler: TaskHandler, isOptional = false): void {
      if (isOptional) optional.add(name);
      refuseAfterStart(`The task "${name}"`);
      if (handlers.has(name))
        throw new BotError('config_invalid', `The task "${name}" is already declared.`);
      handlers.set(name, handler);
    },

    /** Whether there are schedules, and schedules or tasks. */
    declared: () => ({
      schedules: declarations.length > 0,
      any: declarations.length > 0 || handlers.size > optional.size,
    }),

    later,
    cancelTask: (id: string) => botTasks.cancel(id),
    listTasks,

    /**
     * Starts the schedules and tasks unless they run. Resolves with a function that stops them with the
     * last start.
     */
    async start(access: WorkAccess): Promise<() => Promise<void>> {
      life.started = true;
      starts += 1;
      await stopping;
      if (runner === undefined && (declarations.length > 0 || handlers.size > 0)) {
        runner = access;
        const botSchedules = schedules({
          onError: reportFailure,
          store: prefixed(store, botEmail),
          clock,
        });
        for (const { pattern, options, handler } of declarations)
          botSchedules.every(pattern, options, async (run) =>
            handler(withRest(run, access) as never),
          );
        end = () => Promise.all([botSchedules.stop(), botTasks.stop()]);
        await botTasks.start().catch(async (error: unknown) => {
          await stop();
          throw error;
        });
      }
      let stopped: Promise<void> | undefined;
      return () => (stopped ??= stop());
    },
  };

  async function stop(): Promise<void> {
    starts -= 1;
    if (starts > 0) return;
    life.started = false;
    stopping = Promise.resolve(end?.())
      .then(() => {})
      .finally(() => {
        runner = undefined;
        end = undefined;
        stopping = undefined;
      });
    await stopping;
  }
}

export type BackgroundWork = ReturnType<typeof backgroundWork>;

/** Puts the address of the bot before each key: bots may share a store. */
function prefixed(store: Store, botEmail: string): Store {
  const ownKey = (key: string) => `${botEmail.toLowerCase()}:${key}`;
  return {
    ...store,
    get: (key) => store.get(ownKey(key)),
    set: (key, value, options) => store.set(ownKey(key), value, options),
    delete: (key) => store.delete(ownKey(key)),
  };
}
