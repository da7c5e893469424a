import { wordKey } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import type { StandardSchema } from '../sessions/standard-schema.ts';
import type { WrongAnswer } from './wrong-answer.ts';

/** One question. Types do not know the order of the steps, so any earlier answer may be missing. */
export interface Step<Output, Answers, C> {
  /** The question in Markdown, or a function of the earlier answers. */
  readonly ask: string | ((answers: Answers, ctx: C) => string);
  /**
   * Reads the trimmed text of the answer; its output may be of any type, also a Date. It reads the stored
   * text again at each later answer, so it must have no side effects.
   */
  readonly schema: StandardSchema<Output>;
  /** Returns true if the earlier answers make the question unnecessary. */
  readonly skip?: (answers: Answers) => boolean;
  /**
   * Describes the expected answer, in the reply to a wrong one; default: made of the schema.
   */
  readonly retry?: string;
}

export type Steps<A, C> = { readonly [K in keyof A]: Step<A[K], Partial<A>, C> };

export type Skippable<S> = {
  [K in keyof S]: S[K] extends { readonly skip: unknown } ? K : never;
}[keyof S];
export type OutputOf<S> = S extends { readonly schema: StandardSchema<infer Output> }
  ? Output
  : never;

/** The answers to all steps; the answer to a step with `skip` is optional. */
export type AnswersOf<S> = {
  readonly [K in Exclude<keyof S, Skippable<S>>]: OutputOf<S[K]>;
} & { readonly [K in Skippable<S>]?: OutputOf<S[K]> };

export interface DialogOptions {
  /** How long the dialog waits for each answer, in milliseconds; default: an hour. */
  readonly timeoutMs?: number;
  /** Ends the dialog at any step, in any letter case; default: `cancel`. */
  readonly cancelWord?: string;
  /** The reply to the cancel word. */
  readonly cancelled?: string;
  /** Comes before the reply to the first message after the dialog has expired. */
  readonly expired?: string;
  /**
   * Runs `done` again after it has failed, in any letter case; default: `again`. The answers are
   * kept until the dialog expires. Empty: they are not kept.
   */
  readonly againWord?: string;
  /** Comes after the reply to a failed `done`. By default it offers both words. */
  readonly failed?: string;
  /** Describes the expected answer, above the repeated question; default: in English. */
  readonly wrongAnswer?: (wrong: WrongAnswer) => string;
}

/** A dialog with untyped steps and answers: `dialog()` has checked that their types agree. */
export interface Dialog<C, R> {
  readonly name: string;
  readonly steps: ReadonlyMap<string, AnyStep<C>>;
  readonly done: (ctx: C, answers: AnyAnswers) => R | Promise<R>;
  readonly options: Required<DialogOptions>;
}

export type AnyAnswers = Readonly<Record<string, unknown>>;
export type AnyStep<C> = Step<unknown, AnyAnswers, C>;

/**
 * Makes a dialog of named steps, asked in this order, and of `done`, which gets the answers. The texts of
 * the answers are stored under the names of their steps. After a change of the code, answers to unknown
 * steps are dropped and new steps are asked. Throws BotError `config_invalid` on an invalid name or
 * expiry.
 */
export function dialog<A, S, C, R>(
  name: string,
  steps: S & Steps<A, C>,
  done: (ctx: C, answers: AnswersOf<S>) => R | Promise<R>,
  options: DialogOptions = {},
): Dialog<C, R> {
  const named = Object.entries(steps as unknown as Record<string, AnyStep<C>>);
  // Objects put integer keys first, so the name of a step begins with a letter.
  const wrong = named.find(([step]) => !/^[A-Za-z]\w*$/.test(step));
  if (name.trim() === '' || named.length === 0 || wrong !== undefined) {
    throw new BotError(
      'config_invalid',
      `The dialog "${name}" needs a name, and steps whose names are a letter followed by letters, ` +
        `digits or _${wrong === undefined ? '' : `, unlike "${wrong[0]}"`}.`,
    );
  }
  const { timeoutMs = 3_600_000, cancelWord = 'cancel', againWord = 'again' } = options;
  if (!(timeoutMs > 0)) {
    throw new BotError('config_invalid', `timeoutMs of the dialog "${name}" must be above 0.`);
  }
  return {
    name,
    steps: new Map(named),
    done: done as Dialog<C, R>['done'],
    options: {
      timeoutMs,
      cancelWord: wordKey(cancelWord),
      againWord: wordKey(againWord),
      failed:
        options.failed ??
        `Your answers are kept: say \`${againWord}\` to try again, or \`${cancelWord}\`.`,
      wrongAnswer: options.wrongAnswer ?? (({ wanted }) => wanted),
      cancelled: options.cancelled ?? 'Cancelled.',
      expired:
        options.expired ?? `I stopped waiting for an answer to "${name}". Please start again.`,
    },
  };
}
