import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import type { MessageOrigin } from '../sessions/scope-key.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { dialog } from './dialog.ts';
import { dialogs, type DialogOutcome, type DialogsOptions, type DroppedDialog } from './dialogs.ts';

let time: number;
let store: Store;
let done: object[];
beforeEach(() => {
  time = 0;
  store = memoryStore({ now: () => time });
  done = [];
});

type Ctx = { readonly name: string };
const ctx: Ctx = { name: 'Ada' };
const origin: MessageOrigin = {
  botEmail: 'help-bot@chat.test',
  conversation: '7:help',
  senderId: 9,
};

const steps = {
  score: { ask: 'Score?', schema: z.coerce.number<string>('A number, please.') },
  why: { ask: 'Why?', schema: z.string() },
};
const feedback = () =>
  dialog(
    'feedback',
    steps,
    ({ name }: Ctx, answers) => {
      done.push(answers);
      return `Thank you, ${name}.`;
    },
    { timeoutMs: 60_000 },
  );

async function resultOf(outcome: Promise<DialogOutcome<string>>): Promise<string> {
  const found = await outcome;
  if (found.kind !== 'finished') throw new Error(`The dialog is ${found.kind}`);
  return await found.done();
}

/** A new process of the bot with the same store. */
function start(options: Partial<DialogsOptions<Ctx>> = {}) {
  const running = dialogs<Ctx, string>({ store, now: () => time, ...options });
  running.add(feedback());
  const say = (text: string, messageId?: string, at = origin) =>
    running.answer({ origin: at, ctx, text, ...(messageId !== undefined && { messageId }) });
  const begin = (messageId?: string) =>
    running.begin('feedback', { origin, ctx, ...(messageId !== undefined && { messageId }) });
  return { ...running, say, begin };
}

test('a dialog goes from its first question to its result and ends', async () => {
  const bot = start();
  expect(await bot.say('hello')).toEqual({ kind: 'none' });
  expect(await bot.begin()).toEqual({ kind: 'asked', dialog: 'feedback', reply: 'Score?' });
  expect(await bot.active(origin)).toEqual({ dialog: 'feedback', step: 'score' });
  expect(await bot.say('x')).toMatchObject({ reply: 'A number, please.\n\nScore?' });
  expect(await bot.say('4')).toMatchObject({ kind: 'asked', reply: 'Why?' });
  expect(await resultOf(bot.say('Nice'))).toBe('Thank you, Ada.');
  expect(done).toEqual([{ score: 4, why: 'Nice' }]);
  expect(await bot.say('Nice')).toEqual({ kind: 'none' });
  expect(await bot.active(origin)).toBeUndefined();
});

test('a dialog belongs to one user in one conversation unless its scope is given', async () => {
  const bot = start();
  await bot.begin();
  for (const other of [{ senderId: 10 }, { conversation: '8:help' }, { botEmail: 'b@chat.test' }]) {
    expect(await bot.say('4', '2', { ...origin, ...other })).toEqual({ kind: 'none' });
  }
  const shared = start({ scope: 'conversation' });
  await shared.begin();
  expect(await shared.say('4', '2', { ...origin, senderId: 10 })).toMatchObject({ reply: 'Why?' });
});

test('a dialog survives a restart', async () => {
  await start().begin('1');
  await start().say('4', '2');
  expect(await start().say('Nice', '3')).toMatchObject({ kind: 'finished' });
});

test('one of two answers at the same time is taken, the other gets the current question', async () => {
  const [one, two] = [start(), start()];
  await one.begin('1');
  const outcomes = await Promise.all([one.say('4', '2'), two.say('5', '3')]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['asked', 'overtaken']);
  expect(outcomes).toContainEqual({ kind: 'overtaken', reply: 'Why?' });
  expect(await one.active(origin)).toEqual({ dialog: 'feedback', step: 'why' });
  const last = await Promise.all([one.say('Nice', '4'), two.say('Good', '5')]);
  expect(last.map(({ kind }) => kind).toSorted()).toEqual(['finished', 'overtaken']);
});

test('an answer at the same time as cancel, expiry or end does not restore the dialog', async () => {
  const bot = start();
  await bot.begin();
  expect(await Promise.all([bot.say('cancel', '2'), bot.say('4', '3')])).toEqual([
    { kind: 'cancelled', dialog: 'feedback', reply: 'Cancelled.' },
    { kind: 'overtaken', reply: undefined },
  ]);
  await bot.begin();
  await bot.end(origin);
  expect(await bot.say('4')).toEqual({ kind: 'none' });
});

test('an expired dialog is announced once, at the next message within a day', async () => {
  const bot = start();
  await bot.begin();
  time += 60_000;
  expect(await bot.active(origin)).toBeUndefined();
  expect(await bot.say('4')).toMatchObject({
    kind: 'expired',
    reply: expect.stringContaining('stopped waiting'),
  });
  expect(await bot.say('4')).toEqual({ kind: 'none' });
  await bot.begin();
  time += 60_000 + 86_400_000;
  expect(await bot.say('4')).toEqual({ kind: 'none' });
  expect(await store.list('')).toEqual([]);
});

test('a repeated message is not a second answer', async () => {
  await start().begin('1');
  expect(await start().say('4', '1')).toMatchObject({ reply: 'Score?' });
  await start().say('4', '2');
  expect(await start().say('4', '2')).toMatchObject({ kind: 'asked', reply: 'Why?' });
  expect(done).toEqual([]);
});

test('`done` runs again after a crash, for the same message only', async () => {
  await start().begin('1');
  await start().say('4', '2');
  // The crashed process has taken the answer and has not called `done`.
  expect(await start().say('Nice', '3')).toMatchObject({ kind: 'finished' });
  expect(await start().active(origin)).toBeUndefined();
  expect(await start().say('Something else', '4')).toEqual({ kind: 'none' });
  expect(await resultOf(start().say('Nice', '3'))).toBe('Thank you, Ada.');
  expect(done).toEqual([{ score: 4, why: 'Nice' }]);
  expect(await start().say('Nice', '3')).toEqual({ kind: 'none' });
});

test('`done` can run again after a session conflict', async () => {
  const bot = start();
  await bot.begin();
  await bot.say('4');
  const outcome = await bot.say('Nice');
  if (outcome.kind !== 'finished') throw new Error(`The dialog is ${outcome.kind}`);
  await outcome.done();
  await bot.begin();
  expect(await outcome.done()).toBe('Thank you, Ada.');
  expect(await bot.active(origin)).toEqual({ dialog: 'feedback', step: 'score' });
});

test('the failure of `done` is thrown, and other texts are no answers afterwards', async () => {
  const bot = dialogs<Ctx, string>({ store });
  const failing = () => Promise.reject(new Error('The database is away'));
  bot.add({ ...feedback(), done: failing });
  await bot.begin('feedback', { origin, ctx, texts: { score: '4' } });
  await expect(resultOf(bot.answer({ origin, ctx, text: 'Nice' }))).rejects.toThrow('is away');
  expect(await bot.answer({ origin, ctx, text: 'Nice' })).toEqual({ kind: 'none' });
});

test('a dialog that the `done` of another begins is running afterwards', async () => {
  const bot = dialogs<Ctx, string>({ store, now: () => time });
  bot.add(feedback());
  const again = async () => {
    await bot.begin('feedback', { origin, ctx });
    return 'Once more.';
  };
  bot.add(dialog('first', { name: { ask: 'Name?', schema: z.string() } }, again));
  await bot.begin('first', { origin, ctx });
  expect(await resultOf(bot.answer({ origin, ctx, text: 'Ada' }))).toBe('Once more.');
  expect(await bot.active(origin)).toEqual({ dialog: 'feedback', step: 'score' });
});

test('a dialog whose answers are all known ends at once', async () => {
  const texts = { score: '4', why: 'Nice' };
  const running = dialogs<Ctx, string>({ store });
  running.add(feedback());
  expect(await resultOf(running.begin('feedback', { origin, ctx, texts }))).toBe('Thank you, Ada.');
  expect(await running.active(origin)).toBeUndefined();
});

test('a stored dialog that is unknown or malformed is dropped and reported', async () => {
  const dropped: DroppedDialog[] = [];
  await start().begin();
  const [key = ''] = await store.list('dialog/');
  const newer = dialogs<Ctx, string>({ store, onDropped: (what) => dropped.push(what) });
  expect(await newer.answer({ origin, ctx, text: '4' })).toEqual({ kind: 'none' });
  await store.set(key, { v: 9 });
  expect(await newer.active(origin)).toBeUndefined();
  expect(await newer.active(origin)).toBeUndefined();
  expect(dropped).toEqual([
    { key, dialog: 'feedback' },
    { key, dialog: undefined },
  ]);
});

test('begin() rejects for an unknown dialog', async () => {
  const bot = dialogs<Ctx, string>({ store });
  await expect(bot.begin('feedback', { origin, ctx })).rejects.toMatchObject({
    code: 'config_invalid',
  });
});
