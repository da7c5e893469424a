import { OutboundError } from '@bellhop/http/outbound';

import { H2Failure } from '../http2/pending-request.ts';

const MAX_READ = 2_000;
const MAX_SHOWN = 200;

/**
 * What a provider says, for people: one short line without tags, control characters, and whatever is
 * long enough to be a token. Undefined if nothing is left.
 */
export function shortText(text: string): string | undefined {
  const line = text
    .slice(0, MAX_READ)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\w:%+/=-]{32,}/g, '…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, MAX_SHOWN).toWellFormed();
}

/** The short text of a field that may hold anything. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? shortText(value) : undefined;

/** The texts that differ, joined. */
export const joinTexts = (...texts: readonly (string | undefined)[]): string | undefined => {
  const known = new Set(texts.filter((text) => text !== undefined && text !== ''));
  return known.size === 0 ? undefined : [...known].join(': ');
};

/** Why a request got no answer, such as `connect: ENOTFOUND`. Names no address: only the provider's host is public. */
export function failureText(error: unknown): string {
  if (error instanceof H2Failure) return joinTexts(error.kind, causeOf(error)) ?? error.kind;
  if (error instanceof OutboundError) {
    const { fault } = error;
    return joinTexts(fault, causeOf(error)) ?? fault;
  }
  return joinTexts('failed', error instanceof Error ? shortText(error.message) : undefined) ?? '';
}

/** The code of the deepest cause that has one. */
function causeOf(error: unknown): string | undefined {
  let code: string | undefined;
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') ({ code } = cause);
    ({ cause } = cause);
  }
  return code;
}
