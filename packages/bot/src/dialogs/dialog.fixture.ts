import type { AnswersOf, Dialog, DialogOptions, Steps } from './dialog.ts';

/** The type of `dialog()` for handlers with the context C and the result R. */
export type DefineDialog<C, R> = <A, S>(
  name: string,
  steps: S & Steps<A, C>,
  done: (ctx: C, answers: AnswersOf<S>) => R | Promise<R>,
  options?: DialogOptions,
) => Dialog<C, R>;
