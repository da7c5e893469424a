import { beforeEach, expect, test } from 'vitest';

import type { MessageOrigin } from '../sessions/scope-key.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { confirm, confirmDialog } from './confirm.ts';
import { type Dialogs, dialogs } from './dialogs.ts';

type Ctx = { readonly user: string };
const origin: MessageOrigin = {
  botEmail: 'deploy-bot@chat.test',
  conversation: '7:ops',
  senderId: 9,
};
const ctx: Ctx = { user: 'Ada' };

let time = 0;
let ran: string[];
beforeEach(() => {
  ran = [];
});

/** The result of the command, or the outcome if it did not run. */
async function resultOf(bot: Dialogs<Ctx, string>, text: string) {
  const outcome = await bot.answer({ origin, ctx, text });
  return outcome.kind === 'finished' ? await outcome.done() : outcome;
}

function start() {
  const bot = dialogs<Ctx, string>({ store: memoryStore({ now: () => time }), now: () => time });
  bot.add(
    confirmDialog({
      run: ({ user }, line) => {
        ran.push(`${user}: ${line}`);
        return 'Deployed.';
      },
      declined: 'Nothing was done.',
    }),
  );
  const ask = () => confirm(bot, { origin, ctx, line: 'deploy prod', question: 'Deploy to prod?' });
  return { ask, say: (text: string) => resultOf(bot, text) };
}

test.each(['yes', 'Y', 'Yes!', ' yes. '])('"%s" runs the confirmed command', async (yes) => {
  const bot = start();
  expect(await bot.ask()).toMatchObject({ kind: 'asked', reply: 'Deploy to prod? (yes / no)' });
  expect(await bot.say(yes)).toBe('Deployed.');
  expect(ran).toEqual(['Ada: deploy prod']);
  expect(await bot.say('yes')).toEqual({ kind: 'none' });
});

test.each([
  ['cancel', { kind: 'cancelled' }],
  ['yes please do', { reply: 'Please answer yes or no.\n\nDeploy to prod? (yes / no)' }],
  ['', { kind: 'asked' }],
])('"%s" does not run the command', async (answer, outcome) => {
  const bot = start();
  await bot.ask();
  expect(await bot.say(answer)).toMatchObject(outcome);
  expect(ran).toEqual([]);
});

test('a no does not run the command and returns the declined reply', async () => {
  const bot = start();
  await bot.ask();
  expect(await bot.say('No')).toBe('Nothing was done.');
  expect(ran).toEqual([]);
});

test('a yes after five minutes does not run the command', async () => {
  const bot = start();
  await bot.ask();
  time += 300_000;
  expect(await bot.say('yes')).toMatchObject({ kind: 'expired' });
  expect(ran).toEqual([]);
});

test('yes and no can be replaced by other words', async () => {
  const bot = dialogs<Ctx, string>({ store: memoryStore() });
  bot.add(confirmDialog({ run: () => 'Gut.', declined: 'Nein.', yes: ['Ja'], no: ['Nein'] }));
  const asked = await confirm(bot, { origin, ctx, line: 'x', question: 'Sicher?' });
  expect(asked).toMatchObject({ reply: 'Sicher? (Ja / Nein)' });
  expect(await resultOf(bot, 'ja')).toBe('Gut.');
});
