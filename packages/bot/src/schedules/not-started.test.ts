import { expect, onTestFinished, test } from 'vitest';

import { fetchHandler } from '../adapters/fetch-handler.ts';
import { createBot } from '../create-bot.ts';
import { directMessage } from '../example-payload.fixture.ts';
import type { Warning } from '../hooks.ts';
import type { AnyBot } from '../internals.ts';
import { start } from '../start.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };
/** Nothing answers there. */
const api = { url: 'http://127.0.0.1:9', apiKey: 'k' };

const planner = () =>
  createBot(identity)
    .every('0 9 * * *', () => {})
    .task('ring', () => {})
    .on('reaction', () => {})
    .fallback(async (ctx) => {
      await ctx.later('ring', 60_000, null);
      return 'Planned.';
    });

/** A bot behind fetchHandler, and the warnings of its deliveries. */
function behind(bot: AnyBot) {
  const warnings: Warning[] = [];
  const answer = fetchHandler([bot], { hooks: { onWarning: (told) => warnings.push(told) } });
  let id = 0;
  const send = async () => {
    const { message, ...rest } = directMessage('plan');
    const body = JSON.stringify({ ...rest, message: { ...message, id: ++id } });
    return (await answer(new Request('http://bots.test/', { method: 'POST', body }))).json();
  };
  return { send, warnings, told: () => warnings.map(({ code, message }) => `${code}: ${message}`) };
}

test('work of a bot that was not started is told at its first use, once', async () => {
  const { send, told } = behind(planner());
  expect(await send()).toEqual({ content: 'Planned.' });
  await send();
  expect(told()).toEqual([
    expect.stringMatching(/^not_started: The schedules .*transport: 'none'/),
    expect.stringMatching(/^changes_missing: .*no reaction .*transport: 'none'.*`api:/),
    expect.stringMatching(/^not_started: A task was scheduled .*transport: 'none'/),
  ]);
});

test('a choice that is to time out is told too: only a started bot ends it', async () => {
  const bot = createBot(identity)
    .choice('go', () => 'Gone.', { timedOut: () => {} })
    .fallback((ctx) => ctx.choose('go', 'Go?', { options: ['yes', 'no'] }));
  const { send, told } = behind(bot);
  await send();
  expect(told()).toEqual([expect.stringMatching(/^not_started: A task/)]);
});

test('a bot whose work is started, and one without such work, cause no warning', async () => {
  const bot = createBot({ ...identity, api })
    .every('0 9 * * *', () => {})
    .task('ring', () => {})
    .fallback(async (ctx) => {
      await ctx.later('ring', 60_000, null);
      return 'Planned.';
    });
  const running = await start(bot, { transport: 'none' });
  onTestFinished(() => running.stop(0));
  const started = behind(bot);
  await started.send();
  expect(started.told()).toEqual([]);
  const plain = behind(createBot(identity).fallback(() => 'hi'));
  await plain.send();
  expect(plain.told()).toEqual([]);
});

test('a bot that `resolve` finds is told too, although others were started', async () => {
  const warnings: string[] = [];
  const running = await start([], {
    port: 0,
    signals: false,
    resolve: async () => planner(),
    hooks: { onWarning: ({ code }) => warnings.push(code) },
  });
  onTestFinished(() => running.stop(0));
  await fetch(running.url ?? '', { method: 'POST', body: JSON.stringify(directMessage('plan')) });
  expect(warnings).toEqual(['not_started', 'changes_missing', 'not_started']);
});

test('schedules and tasks of a bot without an API key are told at its start', async () => {
  const warnings: Warning[] = [];
  const bot = createBot(identity).task('ring', () => {});
  const onWarning = (told: Warning) => void warnings.push(told);
  const running = await start(bot, { transport: 'none', hooks: { onWarning } });
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
  [{ port: 0, store: {} }, /`store` has no effect/],
  [{ transport: 'pigeon' }, /no transport 'pigeon', but webhook, queue, none/],
])('an option that the transport ignores is refused: %s', async (options, named) => {
  await expect(start(createBot(identity), options as never)).rejects.toThrow(named);
});
