import { misconfigured } from '../bot-error.ts';
import type { Hooks } from '../hooks.ts';

/** Texts to mask, and their replacement. */
export interface Redaction {
  /** Must have the flag g. */
  readonly pattern: RegExp;
  readonly mask: string;
}

/** Secrets and addresses as people and programs write them. The first that matches masks a text. */
const known: readonly Redaction[] = [
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,5000}?-----END [A-Z ]*PRIVATE KEY-----/g,
    mask: '[private key]',
  },
  { pattern: /\b(?:bearer|basic)\s+[\w.~+/=-]{16,}/gi, mask: '[credentials]' },
  { pattern: /(?<=:\/\/)[^\s/:@]{1,100}:[^\s/@]{1,200}(?=@)/g, mask: '[credentials]' },
  {
    pattern:
      /(?<=\b(?:password|passwd|secret|token|api[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{4,200}/gi,
    mask: '[secret]',
  },
  { pattern: /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}/gi, mask: '[secret]' },
  { pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, mask: '[e-mail]' },
  { pattern: /\b\d(?:[ -]?\d){12,18}\b/g, mask: '[number]' },
];

/** Masks texts in a value: a text, or texts at any depth of objects, lists and errors. Returns a copy. */
export type Redact = <T>(value: T) => T;

/** Deeper values are left out: an error may refer to itself. */
const MAX_DEPTH = 20;

/**
 * Returns a function that masks private keys, credentials, tokens, e-mail addresses and long
 * numbers, and the matches of `more`, before a text is logged or sent to a model. Throws BotError
 * for a pattern without the flag g.
 */
export function redactor(more: readonly Redaction[] = []): Redact {
  const redactions = [...more, ...known];
  if (redactions.some(({ pattern }) => !pattern.global))
    throw misconfigured('The pattern of a redaction needs the flag g.');
  const text = (value: string) =>
    redactions.reduce((found, { pattern, mask }) => found.replace(pattern, () => mask), value);

  function redacted(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return '[too deep]';
    if (Array.isArray(value)) return value.map((one) => redacted(one, depth + 1));
    if (value instanceof Error) return redactedError(value, depth);
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, one]) => [key, redacted(one, depth + 1)]));
  }

  function redactedError(error: Error, depth: number): Error {
    const { name, message, stack, cause } = error;
    const copy = new Error(text(message), cause ? { cause: redacted(cause, depth + 1) } : {});
    const own = Object.fromEntries(Object.entries(error));
    Object.assign(copy, redacted(own, depth));
    Object.defineProperty(copy, 'name', { value: name });
    Object.defineProperty(copy, 'stack', { value: stack && text(stack) });
    return copy;
  }
  return <T>(value: T) => redacted(value, 0) as T;
}

/** Hooks that get failures and warnings redacted, but for the address of the bot. */
export function redactHooks(hooks: Hooks, redact: Redact): Hooks {
  const { onError, onWarning } = hooks;
  const redacted = <T extends { readonly botEmail: string }>(about: T): T => ({
    ...redact(about),
    botEmail: about.botEmail,
  });
  return {
    ...hooks,
    ...(onError && { onError: (failure) => onError(redacted(failure)) }),
    ...(onWarning && { onWarning: (warning) => onWarning(redacted(warning)) }),
  };
}
