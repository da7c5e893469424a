import type { WebhookRequest } from '../open-delivery.ts';

/** The body of a delivery: its bytes, or what the application has made of it. */
export type Body = Pick<WebhookRequest, 'text' | 'parsed' | 'decoded'>;

/**
 * The body of a request that the application has read before the bot. `given` is what it has made of
 * it; `length` is the header. Undefined if the body is lost: a parser for bodies of another type leaves
 * `{}`, and one that takes JSON for a form leaves a field with all of it as its name.
 */
export function bodyReadBefore(given: unknown, length: string | undefined): Body | undefined {
  if (isEmptyBody(given)) {
    // `{}` is two bytes.
    const isEmpty = length !== undefined && Number(length) <= 2;
    return isEmpty ? { text: undefined, parsed: given, decoded: 'text' } : undefined;
  }
  if (typeof given === 'string') return { text: given, decoded: 'text' };
  if (given instanceof Uint8Array) return { text: given, decoded: 'bytes' };
  const name = firstKey(given as object);
  return name?.startsWith('{') ? undefined : { text: undefined, parsed: given, decoded: 'text' };
}

/** Whether this is what a parser leaves that has skipped a body, beside a body of `{}`. */
export const isEmptyBody = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  body === '' ||
  (typeof body === 'object' && firstKey(body) === undefined);

/** Makes no list of the keys: this is asked about each delivery. */
function firstKey(of: object): string | undefined {
  for (const key in of) if (Object.hasOwn(of, key)) return key;
  return undefined;
}
