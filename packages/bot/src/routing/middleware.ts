import type { HandlerResult } from '../rest/reply.ts';
import { given, type Turn } from './turn.ts';

/** Calls the next middleware or the handler, once. Resolves with its result. */
export type Next = () => Promise<HandlerResult>;

/**
 * Runs around the handlers: it may act before and after `next`, change its result, or answer without
 * calling it.
 */
export type Middleware<C> = (context: C, next: Next) => HandlerResult | Promise<HandlerResult>;

/** Puts middleware around a function, the first outermost. A second call of `next` rejects. */
export function around(
  middleware: readonly Middleware<never>[],
  last: (turn: Turn) => Promise<HandlerResult>,
): (turn: Turn) => Promise<HandlerResult> {
  return middleware.reduceRight<(turn: Turn) => Promise<HandlerResult>>(
    (inner, outer) => async (turn) => {
      let called = false;
      return outer(given(turn), async () => {
        if (called) throw new Error('A middleware called next() twice.');
        called = true;
        return inner(turn);
      });
    },
    last,
  );
}
