import { expect, onTestFinished, test } from 'vitest';

import { webhook } from './adapters/express.ts';
import { fetchHandler } from './adapters/fetch-handler.ts';
import { lambda } from './adapters/lambda.ts';
import { worker } from './adapters/worker.ts';
import type { BotOptions } from './bot-options.ts';
import { createBot } from './create-bot.ts';
import { directMessage } from './example-payload.fixture.ts';
import type { Failure, Hooks, Warning } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import type { StandardSchema } from './sessions/standard-schema.ts';
import { start } from './start.ts';
import { memoryStore } from './stores/memory-store.ts';
import { receive } from './testing/receive.ts';
import { virtualClock } from './testing/virtual-clock.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };
/** Nothing answers there. */
const api = { url: 'http://127.0.0.1:9', apiKey: 'k' };
/** A store that other programs could share. */
const shared = () => ({ ...memoryStore(), singleProcess: false });

const planner = (options: Partial<BotOptions> = {}) =>
  createBot({ ...identity, ...options })
    .every('0 9 * * *', () => {})
    .task('ring', () => {})
    .on('reaction', () => {})
    .fallback(async (ctx) => {
      await ctx.later('ring', 60_000, null);
      return 'Planned.';
    });

/** Hooks, and what they were told. */
function listening() {
  const warnings: Warning[] = [];
  const failures: Failure[] = [];
  const hooks: Hooks = {
    onWarning: (told) => void warnings.push(told),
    onError: (failure) => void failures.push(failure),
  };
  const told = () => warnings.map(({ code, message }) => `${code}: ${message}`);
  return { hooks, warnings, failures, told };
}

let lastId = 0;
function aDelivery(): string {
  const { message, ...rest } = directMessage('plan');
  return JSON.stringify({ ...rest, message: { ...message, id: ++lastId } });
}

type Mount = (bot: AnyBot, hooks: Hooks) => () => Promise<unknown>;

const behindFetch: Mount = (bot, hooks) => {
  const answer = fetchHandler([bot], { hooks });
  const request = () => new Request('http://bots.test/', { method: 'POST', body: aDelivery() });
  return async () => (await answer(request())).json();
};
const onWorker: Mount = (bot, hooks) => {
  const mounted = worker([bot], { hooks });
  const request = () => new Request('http://bots.test/', { method: 'POST', body: aDelivery() });
  return async () => (await mounted.fetch(request())).json();
};
const onLambda: Mount = (bot, hooks) => {
  const handler = lambda([bot], { hooks });
  const requestContext = { http: { method: 'POST' } };
  return async () => {
    const { body } = await handler({ requestContext, headers: {}, body: aDelivery() });
    return JSON.parse(body) as unknown;
  };
};

test.each([
  ['fetchHandler', behindFetch, /Call `start\(\[bot\], \{ transport: 'none' \}\)` in this program/],
  ['lambda', onLambda, /stops the program .* in a program that runs on, .*several processes share/],
  ['worker', onWorker, /stops the program .* in a program that runs on, .*several processes share/],
])('behind %s a task that nothing can ever run is refused', async (_name, mount, remedy) => {
  const { hooks, failures, told } = listening();
  const send = mount(planner(), hooks);
  expect(await send()).toMatchObject({ content: expect.stringContaining('Reference') });
  expect(failures).toMatchObject([
    { code: 'not_started', error: { message: expect.stringMatching(remedy) } },
  ]);
  await send();
  expect(told()).toEqual([
    expect.stringMatching(/^not_started: The schedules of the bot do not run here/),
    expect.stringMatching(/^changes_missing: .*no reaction .*transport: 'none'.*`api:/),
  ]);
});

test('a task in a store that another program may share is scheduled, with one warning', async () => {
  const { hooks, told, failures } = listening();
  const send = behindFetch(planner({ store: shared() }), hooks);
  expect(await send()).toEqual({ content: 'Planned.' });
  await send();
  expect(failures).toEqual([]);
  expect(told().slice(2)).toEqual([
    expect.stringMatching(/^not_started: A task was scheduled .*transport: 'none'/),
  ]);
});

test('a choice that is to time out is not asked where nothing could end it', async () => {
  const { hooks, failures } = listening();
  const bot = createBot(identity)
    .choice('go', () => 'Gone.', { timedOut: () => {} })
    .fallback((ctx) => ctx.choose('go', 'Go?', { options: ['yes', 'no'] }));
  const send = behindFetch(bot, hooks);
  expect(await send()).toMatchObject({ content: expect.stringContaining('Reference') });
  expect(failures).toMatchObject([{ code: 'not_started' }]);
});

test('an application that starts its bot has schedules and tasks, and no warning', async () => {
  const { hooks, told, failures } = listening();
  const bot = createBot({ ...identity, api })
    .every('0 9 * * *', () => {})
    .task('ring', () => {})
    .fallback(async (ctx) => {
      await ctx.later('ring', 60_000, null);
      return 'Planned.';
    });
  const send = behindFetch(bot, hooks);
  const running = await start(bot, { transport: 'none', hooks });
  onTestFinished(() => running.stop(0));
  expect(await send()).toEqual({ content: 'Planned.' });
  const plain = behindFetch(
    createBot(identity).fallback(() => 'hi'),
    hooks,
  );
  await plain();
  expect([told(), failures]).toEqual([[], []]);
});

test('a bot that is started twice has its tasks until the last stop, and refuses them after it', async () => {
  const { hooks, failures } = listening();
  const clock = virtualClock();
  const rung: unknown[] = [];
  const bot = createBot({ ...identity, api, clock })
    .task('ring', () => void rung.push('rung'))
    .fallback(async (ctx) => {
      await ctx.later('ring', 1000, null);
      return 'Planned.';
    });
  const send = behindFetch(bot, hooks);
  const one = await start(bot, { transport: 'none', hooks });
  const other = await start(bot, { transport: 'none', hooks });
  onTestFinished(() => other.stop(0));
  await one.stop();
  await one.stop();
  expect(await send()).toEqual({ content: 'Planned.' });
  await clock.advance(2000);
  expect([rung, failures]).toEqual([['rung'], []]);
  await other.stop();
  expect(await send()).toMatchObject({ content: expect.stringContaining('Reference') });
  expect(failures).toMatchObject([{ code: 'not_started' }]);
});

test('an application is told of a bot that it has not started, though no message comes', async () => {
  const clock = virtualClock();
  const { hooks, told } = listening();
  webhook([planner({ clock })], { hooks });
  await clock.advance(9000);
  expect(told()).toEqual([]);
  await clock.advance(1000);
  expect(told()).toHaveLength(2);
});

test('each of two handlers of one bot tells its own hooks', async () => {
  const [one, other] = [listening(), listening()];
  const refusing = {
    version: 1,
    vendor: 'test',
    validate: () => ({ issues: [{ message: 'old' }] }),
  };
  const bot = createBot({
    ...identity,
    session: {
      scope: 'bot',
      initial: () => ({ count: 0 }),
      schema: { '~standard': refusing } as StandardSchema<{ count: number }>,
    },
  }).fallback((ctx) => `${(ctx.session.count += 1)}`);
  const [sendOne] = [behindFetch(bot, one.hooks), behindFetch(bot, other.hooks)];
  await sendOne();
  await sendOne();
  expect([one.warnings, other.warnings]).toMatchObject([[{ code: 'stored_state_dropped' }], []]);
});

test('a test of one delivery schedules tasks without a warning', async () => {
  expect(await receive(planner(), directMessage('plan'))).toEqual({ content: 'Planned.' });
});

test('a bot that `resolve` finds is told too, although others were started', async () => {
  const { hooks, warnings, failures } = listening();
  const running = await start([], {
    port: 0,
    signals: false,
    resolve: async () => planner(),
    hooks,
  });
  onTestFinished(() => running.stop(0));
  await fetch(running.url ?? '', { method: 'POST', body: aDelivery() });
  expect(warnings.map(({ code }) => code)).toEqual(['not_started', 'changes_missing']);
  expect(failures).toMatchObject([{ code: 'not_started' }]);
});

test('schedules and tasks of a bot without an API key are told at its start', async () => {
  const { hooks, warnings } = listening();
  const bot = createBot(identity).task('ring', () => {});
  const running = await start(bot, { transport: 'none', hooks });
  onTestFinished(() => running.stop(0));
  expect(warnings).toMatchObject([{ code: 'api_missing', botEmail: identity.email }]);
});

test('work that is declared after the start is refused', async () => {
  const bot = createBot(identity);
  const running = await start(bot, { transport: 'none' });
  onTestFinished(() => running.stop(0));
  expect(() => bot.every('0 9 * * *', () => {})).toThrow(/"0 9 \* \* \*" .*declare it before/);
  expect(() => bot.task('ring', () => {})).toThrow(/"ring" .*declare it before/);
  expect(() => bot.on('edit', () => {})).toThrow(/'edit'.*declare it before/);
  expect(() => bot.on('mention', () => {})).not.toThrow();
});

test.each([
  [{ transport: 'queue', port: 8080 }, /`port` has no effect with the transport 'queue'/],
  [{ transport: 'none', deadlineMs: 1 }, /`deadlineMs` has no effect with the transport 'none'/],
  [{ port: 0, onEachMessage: () => {} }, /`onEachMessage` has no effect .*'webhook'/],
  [{ port: 'x' }, /`port` is x, not a whole number from 0 to 65535/],
  [{ port: 80.5 }, /`port` is 80\.5/],
  [{ port: 0, store: {} }, /`store` has no effect/],
  [{ transport: 'pigeon' }, /no transport 'pigeon', but webhook, queue, none/],
])('an option that the transport ignores or cannot use is refused: %s', async (options, named) => {
  await expect(start(createBot(identity), options as never)).rejects.toThrow(named);
});
