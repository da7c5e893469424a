// What people write in files of their own: each function names its types by what the entries export.
import { expect, expectTypeOf, test } from 'vitest';

import {
  type AnswersOf,
  type AnyBot,
  type AnyContext,
  type ArgsOf,
  type Bot,
  BotError,
  type BotErrorCode,
  type BotOptions,
  type Choice,
  type Client,
  type CommandContext,
  createBot,
  type EventContext,
  type Handler,
  type HeardContext,
  type MessageId,
  type Middleware,
  type Names,
  type NamesOf,
  type Order,
  type Person,
  type RoleName,
  type ScheduleContext,
  type SessionOptions,
  type StandardSchema,
  type StartOptions,
  type Steps,
  type TaskContext,
  type TaskSchemas,
  type Trigger,
  type UserProfile,
} from './bot.ts';
import type { Hooks as AdapterHooks, WebhookOptions } from './express.ts';
import { combineHooks, type DeliveryReport, type Hooks, type Warning } from './hooks.ts';
import type { Store } from './stores.ts';
import {
  chat,
  type Chat,
  type ChatBotOptions,
  type ChatUser,
  type DeliveryInfo,
} from './testing.ts';

// handlers.ts
const usage = 'deploy <env:staging|prod> [--force]';
type Deploy = CommandContext<ArgsOf<typeof usage>, Visits>;
const deploy: Handler<Deploy> = ({ args, session, askedBy }) => {
  expectTypeOf(args).toEqualTypeOf<{ env: 'staging' | 'prod'; force: boolean }>();
  return `${askedBy.fullName} deploys to ${args.env}, visit ${(session.count += 1)}`;
};
const heard = ({ match, by }: HeardContext<Visits>): string => `${match[0]} from ${by.fullName}`;
const thanks: Handler<EventContext<'reaction', Visits>> = ({ reaction }) => `:${reaction.emoji}:`;

// people.ts
const initialsOf = ({ fullName }: Person): string =>
  fullName.replaceAll(/(\p{L})\p{L}*\s*/gu, '$1');
const isAtLeast = ({ role }: UserProfile, wanted: RoleName): boolean => role === wanted;
const codeOf = (error: unknown): BotErrorCode | undefined =>
  error instanceof BotError ? error.code : undefined;
const everyone = async (client: Client) => (await client.users.list()).members.length;
const linkTo = (id: MessageId, { conversation }: AnyContext) => ({ id, conversation });

// session.ts
interface Visits {
  count: number;
}
const session: SessionOptions<Visits> = { scope: 'user', initial: () => ({ count: 0 }) };

// middleware.ts
const counted =
  (seen: Trigger[]): Middleware<EventContext<Trigger, Visits>> =>
  (ctx, next) => {
    seen.push(ctx.trigger);
    return next();
  };

// plugin.ts
const about =
  (version: string) =>
  <S, N extends Names | undefined>(bot: Bot<S, N>): void =>
    void bot.command('version', () => version);

// hooks.ts
function recorded(reports: DeliveryReport[], warnings: Warning[]): Hooks {
  return {
    onDelivery: (report) => void reports.push(report),
    onWarning: (warning) => void warnings.push(warning),
    around: (info: DeliveryInfo, run) => (info.messageId > 0 ? run() : Promise.reject(info)),
  };
}
const mounted = (hooks: AdapterHooks): WebhookOptions => ({ hooks, maxBodyBytes: 1000 });

// work.ts
const digest = async ({ post, dueAt }: ScheduleContext<Visits>): Promise<void> =>
  void (await post(String(dueAt), { emails: ['ada@chat.test'] }));
const ring = ({ data }: TaskContext<{ readonly text: string }, Visits>): string => data.text;

// options.ts
const order: Order = 'latest';
const started = (store: Store): StartOptions & { store: Store } => ({ port: 0, store });
const production = (options: BotOptions): BotOptions => ({ ...options, order, typing: false });

// bot.ts
const makeBot = (options: BotOptions) =>
  createBot({ ...production(options), session })
    .command(usage, deploy)
    .hears(/hello/, heard)
    .on('reaction', thanks)
    .use(counted(seen))
    .every('0 9 * * *', digest)
    .task('ring', ring)
    .plugin(about('1.4'));
const seen: Trigger[] = [];

// helper.ts
async function asked(room: Chat, who: ChatUser, ...lines: readonly string[]): Promise<string[]> {
  for (const line of lines) await who.says(line);
  return room.transcript();
}
const roomOf = (make: (options: ChatBotOptions) => AnyBot): Chat => chat(make);

test('handler, middleware, plugin and test helper of files of their own make one bot', async () => {
  const room = roomOf(makeBot);
  expect(await asked(room, room.user('Ada Lee'), 'deploy prod', 'hello', 'version')).toEqual([
    'Ada Lee: deploy prod',
    'Bot: Ada Lee deploys to prod, visit 1',
    'Ada Lee: hello',
    'Bot: hello from Ada Lee',
    'Ada Lee: version',
    'Bot: 1.4',
  ]);
  expect(seen).toEqual(['direct_message', 'direct_message', 'direct_message']);
});

test('the types of helpers have names', () => {
  const ada = { fullName: 'Ada Lee' } as Person;
  expect(initialsOf(ada)).toBe('AL');
  expect(codeOf(new BotError('api_missing', 'no'))).toBe('api_missing');
  expect(combineHooks(recorded([], []))).toBeDefined();
  expect(mounted({}).maxBodyBytes).toBe(1000);
  expectTypeOf(isAtLeast).parameter(0).toEqualTypeOf<UserProfile>();
  expectTypeOf(everyone).returns.resolves.toBeNumber();
  expectTypeOf(linkTo).returns.toHaveProperty('conversation');
  expectTypeOf(started).returns.toHaveProperty('store');
});

// With names: a plugin, middleware and the handler of failures keep those that the bot declares.
const number: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: Number(value) }),
  },
};
const tasks = { ring: number } satisfies TaskSchemas;
type Declared = NamesOf<typeof tasks, 'order', 'size'>;
const steps = { flavour: { ask: 'Which?', schema: number } } satisfies Steps<
  { flavour: number },
  never
>;

test('NamesOf takes what a bot declares, in order, and leaves out what it does not', () => {
  const bot = { email: 'bot@chat.test', token: 't' };
  const withTasks = createBot({ ...bot, tasks });
  expectTypeOf(withTasks).toEqualTypeOf<Bot<undefined, NamesOf<typeof tasks>>>();
  const withDialog = createBot({ ...bot, dialogs: ['order'] });
  expectTypeOf(withDialog).toEqualTypeOf<Bot<undefined, NamesOf<TaskSchemas, 'order'>>>();
  expectTypeOf(withTasks).not.toEqualTypeOf<Bot<undefined, NamesOf<TaskSchemas>>>();
});

test('plugin, use and catch keep the names that the bot declares', () => {
  const bot = createBot({
    email: 'bot@chat.test',
    token: 't',
    tasks,
    dialogs: ['order'],
    choices: ['size'],
  });
  const reminders = (to: Bot<undefined, Declared>) => {
    to.task('ring', ({ data }) => expectTypeOf(data).toBeNumber());
    // @ts-expect-error: there is no such task.
    to.task('rang', () => {});
  };
  bot.plugin(reminders).plugin(about('1'));
  bot.use(async (ctx, next) => {
    // @ts-expect-error: there is no such dialog.
    void (() => ctx.begin('ordr'));
    void (() => ctx.later('ring', 1000, 3));
    return next();
  });
  bot.catch((_failure, ctx) => {
    // @ts-expect-error: the data of the task is a number.
    void (() => ctx.later('ring', 1000, 'three'));
    return undefined;
  });
  bot.choice('size', (_ctx, choice: Choice) => choice.option);
  expectTypeOf<AnswersOf<typeof steps>>().toHaveProperty('flavour').toBeNumber();
});
