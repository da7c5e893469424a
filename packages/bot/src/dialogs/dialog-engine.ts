import { checkWith } from '../sessions/standard-schema.ts';
import type { DialogState } from './dialog-state.ts';
import type { AnyAnswers, AnyStep, Dialog } from './dialog.ts';

/** What surrounds a turn of a dialog. */
export interface TurnContext<C> {
  readonly ctx: C;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Names the message, the same when it is delivered again. */
  readonly by?: string | undefined;
}

/** Where a dialog stands after a turn: the state to keep, and what to say. */
export type Turn =
  | { readonly kind: 'asked'; readonly state: DialogState; readonly reply: string }
  | { readonly kind: 'finished'; readonly state: DialogState; readonly answers: AnyAnswers }
  | { readonly kind: 'cancelled' | 'expired'; readonly state?: undefined; readonly reply: string };

type Texts = Readonly<Record<string, string>>;

/** Begins a dialog, with the texts of answers that are known already. Keeps nothing. */
export function beginDialog<C, R>(
  dialog: Dialog<C, R>,
  { texts = {}, ...about }: TurnContext<C> & { readonly texts?: Texts },
): Promise<Turn> {
  return goOn(dialog, texts, about);
}

/** Takes a text as the answer to the question of a state. Keeps nothing. */
export async function answerDialog<C, R>(
  dialog: Dialog<C, R>,
  state: DialogState,
  { text, ...about }: TurnContext<C> & { readonly text: string },
): Promise<Turn> {
  const { expiresMs, expired, cancelled, cancelWord } = dialog.options;
  const said = text.trim();
  if (state.expires_at <= about.now) return { kind: 'expired', reply: expired };
  const before = await stand(dialog, state.answers);
  const { next } = before;
  const isRepeated = state.by !== undefined && state.by === about.by;
  if (next === undefined || isRepeated) return await goOn(dialog, state.answers, about);
  if (said.toLowerCase() === cancelWord) return { kind: 'cancelled', reply: cancelled };
  // The code has changed since the question: what was said answers another one.
  if (next.name !== state.step) return await goOn(dialog, before.texts, about);

  const checked = await checkWith(next.step.schema, said);
  if (checked.problems === undefined) {
    return await goOn(dialog, { ...before.texts, [next.name]: said }, about);
  }
  const problem = next.step.retry ?? checked.problems.join('\n');
  const reply = `${problem}\n\n${question(next.step, before.answers, about.ctx)}`;
  return { kind: 'asked', state: { ...state, expires_at: about.now + expiresMs }, reply };
}

/** Asks the next question, or finishes. */
async function goOn<C, R>(
  dialog: Dialog<C, R>,
  known: Texts,
  about: TurnContext<C>,
): Promise<Turn> {
  const { next, texts, answers } = await stand(dialog, known);
  const state: DialogState = {
    v: 1,
    dialog: dialog.name,
    step: next?.name ?? null,
    answers: texts,
    expires_at: about.now + dialog.options.expiresMs,
    ...(about.by !== undefined && { by: about.by }),
  };
  if (next === undefined) return { kind: 'finished', state, answers };
  return { kind: 'asked', state, reply: question(next.step, answers, about.ctx) };
}

/**
 * Reads the texts as the code is now: the answers up to the first step that has none, or none that
 * its schema accepts. Texts of later steps are kept, those of unknown steps are not.
 */
async function stand<C, R>({ steps }: Dialog<C, R>, known: Texts) {
  const answers: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  let next: { readonly name: string; readonly step: AnyStep<C> } | undefined;
  for (const [name, step] of steps) {
    // A step may be called `constructor`, which every object has.
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
