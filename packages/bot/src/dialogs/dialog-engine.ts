import { plainForm, wordKey } from '@bellhop/protocol/plain';

import { checkWith } from '../sessions/standard-schema.ts';
import type { DialogState } from './dialog-state.ts';
import type { AnyAnswers, AnyStep, Dialog } from './dialog.ts';
import { wantedBy } from './wrong-answer.ts';

/** The message that a turn of a dialog responds to. */
export interface DialogTurnContext<C> {
  readonly ctx: C;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The same for a repeated delivery of the message. */
  readonly messageId?: string | undefined;
}

/** The result of a turn: the state to store, and the reply. */
export type DialogTurn =
  | { readonly kind: 'asked'; readonly state: DialogState; readonly reply: string }
  | { readonly kind: 'finished'; readonly state: DialogState; readonly answers: AnyAnswers }
  | { readonly kind: 'cancelled' | 'expired'; readonly state?: undefined; readonly reply: string };

type AnswerTexts = Readonly<Record<string, string>>;

/** Begins a dialog; `texts` are known answers. Stores nothing. */
export function beginDialog<C, R>(
  dialog: Dialog<C, R>,
  { texts = {}, ...context }: DialogTurnContext<C> & { readonly texts?: AnswerTexts },
): Promise<DialogTurn> {
  return nextTurn(dialog, texts, context);
}

/** Takes a text as the answer to the question of a state. Stores nothing. */
export async function answerDialog<C, R>(
  dialog: Dialog<C, R>,
  state: DialogState,
  { text, ...context }: DialogTurnContext<C> & { readonly text: string },
): Promise<DialogTurn> {
  const { timeoutMs, expired, cancelled, cancelWord, wrongAnswer } = dialog.options;
  const answer = text.trim();
  if (state.expires_at <= context.now) return { kind: 'expired', reply: expired };
  const current = await readAnswers(dialog, state.answers);
  const { next } = current;
  const isRepeated = state.message_id !== undefined && state.message_id === context.messageId;
  if (!isRepeated && wordKey(answer) === cancelWord) return { kind: 'cancelled', reply: cancelled };
  if (next === undefined || isRepeated) return await nextTurn(dialog, state.answers, context);
  // The code has changed since the question was asked: the answer is not to the next step.
  if (next.name !== state.step) return await nextTurn(dialog, current.texts, context);

  const { accepted, issues } = await checkAnswer(next.step, answer);
  if (accepted !== undefined) {
    return await nextTurn(dialog, { ...current.texts, [next.name]: accepted }, context);
  }
  const wrong = { step: next.name, text: answer, issues, wanted: wantedBy(issues) };
  const problem = next.step.retry ?? wrongAnswer(wrong);
  const reply = `${problem}\n\n${question(next.step, current.answers, context.ctx)}`;
  return { kind: 'asked', state: { ...state, expires_at: context.now + timeoutMs }, reply };
}

/**
 * The answer if the schema of its step accepts it, as typed or else in its plain form; the issues of
 * the answer as typed if not. A text that the schema accepts stays as it is.
 */
async function checkAnswer<C>({ schema }: AnyStep<C>, answer: string) {
  const { problems, issues = [] } = await checkWith(schema, answer);
  if (problems === undefined) return { accepted: answer, issues };
  const plain = plainForm(answer);
  const isAccepted = plain !== answer && (await checkWith(schema, plain)).problems === undefined;
  return { accepted: isAccepted ? plain : undefined, issues };
}

/** Asks the next question, or finishes the dialog. */
async function nextTurn<C, R>(
  dialog: Dialog<C, R>,
  known: AnswerTexts,
  context: DialogTurnContext<C>,
): Promise<DialogTurn> {
  const { next, texts, answers } = await readAnswers(dialog, known);
  const state: DialogState = {
    v: 1,
    dialog: dialog.name,
    step: next?.name ?? null,
    answers: texts,
    expires_at: context.now + dialog.options.timeoutMs,
    ...(context.messageId !== undefined && { message_id: context.messageId }),
  };
  if (next === undefined) return { kind: 'finished', state, answers };
  return { kind: 'asked', state, reply: question(next.step, answers, context.ctx) };
}

/**
 * Reads the stored texts with the current steps, up to the first step whose answer is missing or refused
 * by its schema. Keeps the texts of later steps, and drops those of skipped and unknown steps.
 */
async function readAnswers<C, R>({ steps }: Dialog<C, R>, known: AnswerTexts) {
  const answers: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  let next: { readonly name: string; readonly step: AnyStep<C> } | undefined;
  for (const [name, step] of steps) {
    // A step may be called `constructor`, a property of every object.
    const text = Object.hasOwn(known, name) ? known[name] : undefined;
    if (next !== undefined) {
      if (text !== undefined) texts[name] = text;
      continue;
    }
    if (step.skip?.(answers)) continue;
    const checked = text === undefined ? undefined : await checkWith(step.schema, text);
    if (text === undefined || checked === undefined || checked.problems !== undefined) {
      next = { name, step };
    } else {
      texts[name] = text;
      answers[name] = checked.value;
    }
  }
  return { answers, texts, next };
}

const question = <C>({ ask }: AnyStep<C>, answers: AnyAnswers, ctx: C): string =>
  typeof ask === 'string' ? ask : ask(answers, ctx);
