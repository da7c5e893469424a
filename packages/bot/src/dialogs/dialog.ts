import { BotError } from '../bot-error.ts';
import type { StandardSchema } from '../sessions/standard-schema.ts';

/** One question. The order of keys in an object is unknown to types: any answer may be missing. */
export interface Step<Output, Answers, C> {
  /** Markdown, or a function of the answers so far. */
  readonly ask: string | ((answers: Answers, ctx: C) => string);
  /**
   * Reads the answer, a text without space around it. It runs again at each later answer, over the
   * text that is kept: it must have no effects, but may put out anything, as a Date.
   */
  readonly schema: StandardSchema<Output>;
  /** True: not asked, given the answers so far. */
  readonly skip?: (answers: Answers) => boolean;
  /** Said to a wrong answer instead of what the schema says. */
  readonly retry?: string;
}

export type Steps<A, C> = { readonly [K in keyof A]: Step<A[K], Partial<A>, C> };

type Skippable<S> = {
  [K in keyof S]: S[K] extends { readonly skip: unknown } ? K : never;
}[keyof S];
type OutputOf<S> = S extends { readonly schema: StandardSchema<infer Output> } ? Output : never;

/** All the answers to steps: those that may be skipped are optional. */
export type AnswersOf<S> = {
  readonly [K in Exclude<keyof S, Skippable<S>>]: OutputOf<S[K]>;
} & { readonly [K in Skippable<S>]?: OutputOf<S[K]> };

export interface DialogOptions {
  /** Ends when no answer came for so long, in milliseconds: an hour unless told. */
  readonly expiresMs?: number;
  /** The word that leaves the dialog at any step, in capitals or not: `cancel` unless told. */
  readonly cancelWord?: string;
  /** Said when it was left. */
  readonly cancelled?: string;
  /** Said before whatever the next message brings, when it has expired. */
  readonly expired?: string;
}

/** A dialog as the engine takes it: `dialog()` has checked that the types of its parts agree. */
export interface Dialog<C, R> {
  readonly name: string;
  readonly steps: ReadonlyMap<string, AnyStep<C>>;
  readonly done: (ctx: C, answers: AnyAnswers) => R | Promise<R>;
  readonly options: Required<DialogOptions>;
}

export type AnyAnswers = Readonly<Record<string, unknown>>;
export type AnyStep<C> = Step<unknown, AnyAnswers, C>;

/** The type of `dialog()` for handlers that are given C and return R. */
export type DefineDialog<C, R> = <A, S>(
  name: string,
  steps: S & Steps<A, C>,
  done: (ctx: C, answers: AnswersOf<S>) => R | Promise<R>,
  options?: DialogOptions,
) => Dialog<C, R>;

/**
 * Describes a dialog: named steps that are asked in this order, and what is done with the answers.
 * Between messages the texts of the answers are kept under the names of their steps, so that names
 * matter more than order when the code changes: unknown answers are dropped, new questions asked.
 */
export function dialog<A, S, C, R>(
  name: string,
  steps: S & Steps<A, C>,
  done: (ctx: C, answers: AnswersOf<S>) => R | Promise<R>,
  options: DialogOptions = {},
): Dialog<C, R> {
  const named = Object.entries(steps as unknown as Record<string, AnyStep<C>>);
  const wrong = named.find(([step]) => !/^[A-Za-z]\w*$/.test(step));
  if (name.trim() === '' || named.length === 0 || wrong !== undefined) {
    throw new BotError(
      'config_invalid',
      `The dialog "${name}" needs a name and steps whose names begin with a letter, which keeps ` +
        `their order${wrong === undefined ? '' : `: not "${wrong[0]}"`}.`,
    );
  }
  const { expiresMs = 3_600_000, cancelWord = 'cancel' } = options;
  if (!(expiresMs > 0)) {
    throw new BotError('config_invalid', `expiresMs of the dialog "${name}" is not above 0.`);
  }
  return {
    name,
    steps: new Map(named),
    done: done as Dialog<C, R>['done'],
    options: {
      expiresMs,
      cancelWord: cancelWord.trim().toLowerCase(),
      cancelled: options.cancelled ?? 'Cancelled.',
      expired:
        options.expired ?? `I stopped waiting for an answer to "${name}": please start anew.`,
    },
  };
}
