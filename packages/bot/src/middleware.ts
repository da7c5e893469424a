import type { HandlerResult } from './reply.ts';

/** Calls the next middleware or the handler, once. Resolves with its result. */
export type Next = () => Promise<HandlerResult>;

/**
 * Runs around the handlers: it may act before and after `next`, change its result, or answer without
 * calling it.
 */
export type Middleware<C> = (context: C, next: Next) => HandlerResult | Promise<HandlerResult>;

/** Puts middleware around a function, the first outermost. A second call of `next` rejects. */
export function around<C>(
  middleware: readonly Middleware<C>[],
  last: (context: C) => Promise<HandlerResult>,
): (context: C) => Promise<HandlerResult> {
  return middleware.reduceRight<(context: C) => Promise<HandlerResult>>(
    (inner, outer) => async (context) => {
      let called = false;
      return outer(context, async () => {
        if (called) throw new Error('A middleware called next() twice.');
        called = true;
        return inner(context);
      });
    },
    last,
  );
}
