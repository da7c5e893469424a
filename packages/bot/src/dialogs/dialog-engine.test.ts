import { expect, test } from 'vitest';
import { z } from 'zod';

import { answerDialog, beginDialog, type DialogTurn } from './dialog-engine.ts';
import type { DialogState } from './dialog-state.ts';
import type { DefineDialog } from './dialog.fixture.ts';
import { dialog } from './dialog.ts';

const ctx = { name: 'Ada' };
const score = { ask: 'Score?', schema: z.coerce.number().int().min(1).max(5) };
const why = {
  ask: (answers: { score?: number }, { name }: typeof ctx) => `Why ${answers.score}, ${name}?`,
  schema: z.string().min(2, 'Say more.'),
  skip: (answers: { score?: number }) => answers.score === 5,
};
const contact = { ask: 'E-mail?', schema: z.email(), retry: 'That is no e-mail address.' };
const define: DefineDialog<typeof ctx, object> = dialog;
const feedback = define('feedback', { score, why, contact }, (_, answers) => answers);

async function begun(): Promise<DialogState> {
  return stateOf(await beginDialog(feedback, { ctx, now: 0, messageId: '1' }));
}
function stateOf(turn: DialogTurn): DialogState {
  if (turn.state === undefined) throw new Error(`The dialog is ${turn.kind}`);
  return turn.state;
}
const answer = (state: DialogState, text: string, messageId = text) =>
  answerDialog(feedback, state, { ctx, now: 1_000, text, messageId });

test('a dialog asks its steps in order and ends with all answers', async () => {
  const first = await beginDialog(feedback, { ctx, now: 0, messageId: '1' });
  expect(first).toEqual({
    kind: 'asked',
    reply: 'Score?',
    state: {
      v: 1,
      dialog: 'feedback',
      step: 'score',
      answers: {},
      expires_at: 3_600_000,
      message_id: '1',
    },
  });
  const second = await answer(stateOf(first), ' 3 ');
  expect(second).toMatchObject({ reply: 'Why 3, Ada?', state: { step: 'why' } });
  const third = await answer(stateOf(second), 'Slow');
  expect(third).toMatchObject({
    reply: 'E-mail?',
    state: { answers: { score: '3', why: 'Slow' } },
  });
  const last = await answer(stateOf(third), 'ada@chat.test');
  expect(last).toMatchObject({
    kind: 'finished',
    state: { step: null },
    answers: { score: 3, why: 'Slow', contact: 'ada@chat.test' },
  });
});

test('a dialog state is JSON of less than 150 characters', async () => {
  const state = stateOf(await answer(await begun(), '3'));
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(JSON.stringify(state).length).toBeLessThan(150);
});

test('a skipped step is not asked', async () => {
  expect(await answer(await begun(), '5')).toMatchObject({ state: { step: 'contact' } });
});

test('a wrong answer gets its problem and the question as reply, and extends the expiry', async () => {
  const asked = await begun();
  const again = await answer(asked, 'nine');
  expect(again.kind).toBe('asked');
  expect(again).toMatchObject({
    reply: expect.stringMatching(/answer with a number[^]*\n\nScore\?$/),
  });
  expect(again.state).toEqual({ ...asked, expires_at: 3_601_000 });
  const third = stateOf(await answer(stateOf(again), '5'));
  expect(await answer(third, 'ada')).toMatchObject({
    reply: 'That is no e-mail address.\n\nE-mail?',
  });
});

test('the cancel word in any letter case ends the dialog at a step that would accept it', async () => {
  const second = stateOf(await answer(await begun(), '3'));
  const cancelled = { kind: 'cancelled', reply: 'Cancelled.' };
  expect(await answer(second, ' Cancel ')).toEqual(cancelled);
  expect(await answer(second, 'cancel it all')).toMatchObject({ kind: 'asked' });
});

test('the cancel word and the reply to it can be replaced', async () => {
  const german = dialog('a', { a: score }, () => '', { cancelWord: 'Stopp', cancelled: 'Gut.' });
  const { state } = await beginDialog(german, { ctx: undefined, now: 0 });
  const stopped = await answerDialog(german, state as DialogState, {
    ctx: undefined,
    now: 0,
    text: 'stopp',
  });
  expect(stopped).toEqual({ kind: 'cancelled', reply: 'Gut.' });
});

test('an answer after timeoutMs gets the expired reply', async () => {
  const state = await begun();
  const at = (now: number) => answerDialog(feedback, state, { ctx, now, text: '3' });
  expect(await at(3_599_999)).toMatchObject({ kind: 'asked' });
  expect(await at(3_600_000)).toEqual({
    kind: 'expired',
    reply: 'I stopped waiting for an answer to "feedback". Please start again.',
  });
});

test('a repeated message repeats the question and is not an answer', async () => {
  const second = await answer(await begun(), '3', 'message 2');
  expect(await answer(stateOf(second), '3', 'message 2')).toEqual(second);
  const last = await answer(
    stateOf(await answer(stateOf(second), 'Slow', 'message 3')),
    'ada@chat.test',
    'message 4',
  );
  expect(await answer(stateOf(last), 'ada@chat.test', 'message 4')).toEqual(last);
});

test('a step with a known answer is not asked', async () => {
  const context = { ctx, now: 0, texts: { score: '4', contact: 'ada@chat.test' } };
  const first = await beginDialog(feedback, context);
  expect(first).toMatchObject({ reply: 'Why 4, Ada?', state: { step: 'why' } });
  expect(await answer(stateOf(first), 'Dear')).toMatchObject({
    answers: { score: 4, why: 'Dear', contact: 'ada@chat.test' },
  });
});

// A state that an older version of the code stored.
const storedState = (step: string, answers: Record<string, string>): DialogState => ({
  v: 1,
  dialog: 'feedback',
  step,
  answers,
  expires_at: 3_600_000,
});

test('an answer to a removed step is not taken for the next step', async () => {
  const turn = await answer(storedState('colour', { score: '3', name: 'Ada' }), 'green');
  expect(turn).toMatchObject({
    kind: 'asked',
    reply: 'Why 3, Ada?',
    state: { step: 'why', answers: { score: '3' } },
  });
});

test('a new step before the asked step is asked first', async () => {
  const turn = await answer(storedState('contact', { why: 'Slow' }), 'ada@chat.test');
  expect(turn).toMatchObject({
    reply: 'Score?',
    state: { step: 'score', answers: { why: 'Slow' } },
  });
  expect(await answer(stateOf(turn), '2')).toMatchObject({ state: { step: 'contact' } });
});

test('a step is asked again if its schema refuses the stored answer', async () => {
  const turn = await answer(storedState('contact', { score: '9', why: 'Slow' }), 'ada@chat.test');
  expect(turn).toMatchObject({ reply: 'Score?', state: { answers: { why: 'Slow' } } });
});

test('an answer to a removed step ends the dialog if no other step is open', async () => {
  const turn = await answer(
    storedState('colour', { score: '5', contact: 'ada@chat.test' }),
    'green',
  );
  expect(turn).toMatchObject({ kind: 'finished', answers: { score: 5 } });
});

test('the stored answer of a skipped step is dropped', async () => {
  const turn = await answer(storedState('contact', { score: '5', why: 'Slow' }), 'ada@chat.test');
  expect(turn).toMatchObject({ answers: { score: 5, contact: 'ada@chat.test' } });
  expect(turn).not.toHaveProperty('answers.why');
});

test('a step can be called constructor or valueOf', async () => {
  const odd = dialog('odd', { constructor: score, valueOf: score }, (_: undefined, all) => all);
  const first = await beginDialog(odd, { ctx: undefined, now: 0 });
  expect(first).toMatchObject({ state: { step: 'constructor', answers: {} } });
});

test('answers to asynchronous and transforming schemas are stored as texts', async () => {
  const isFree = (name: string) => Promise.resolve(name !== 'taken');
  const booking = dialog(
    'booking',
    {
      name: { ask: 'Name?', schema: z.string().refine(isFree, 'That one is taken.') },
      day: { ask: 'Day?', schema: z.iso.date().transform((day) => new Date(day)) },
    },
    (_: undefined, answers) => answers,
  );
  const context = { ctx: undefined, now: 0 };
  const first = stateOf(await beginDialog(booking, context));
  expect(await answerDialog(booking, first, { ...context, text: 'taken' })).toMatchObject({
    reply: 'That one is taken.\n\nName?',
  });
  const second = stateOf(await answerDialog(booking, first, { ...context, text: 'mine' }));
  const last = await answerDialog(booking, second, { ...context, text: '2026-11-21' });
  expect(last).toMatchObject({
    state: { answers: { name: 'mine', day: '2026-11-21' } },
    answers: { name: 'mine', day: new Date('2026-11-21') },
  });
});
