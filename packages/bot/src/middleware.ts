import type { HandlerResult } from './reply.ts';

/** Calls what comes after a middleware, once, and resolves to what that returned. */
export type Next = () => Promise<HandlerResult>;

/**
 * Runs around the handlers: it may do something before and after `next`, change what `next` returned,
 * or return something of its own and leave `next` alone.
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
