import { ApiError } from '@bellhop/protocol';

interface Rule {
  readonly count: number;
  readonly seconds: number;
}
interface Failures {
  count: number;
  until: number;
}
/** Limits failed logins per name, against guessing of passwords. */
export interface LoginLimit {
  /** Throws RATE_LIMIT_HIT if too many logins with this name have failed. */
  readonly check: (name: string) => void;
  readonly failed: (name: string) => void;
  readonly succeeded: (name: string) => void;
}
const MAX_NAMES = 100_000;

export function loginLimit(rules: readonly Rule[], clock: () => number = Date.now): LoginLimit {
  const failures = rules.map(() => new Map<string, Failures>());
  const current = (at: number, name: string) => {
    const known = failures[at]?.get(name);
    return known && known.until > clock() ? known : undefined;
  };
  return {
    check: (name) => {
      for (const [at, { count }] of rules.entries()) {
        const known = current(at, name);
        if (known && known.count >= count)
          throw new ApiError('RATE_LIMIT_HIT', {
            message: 'You have failed to log in too often; wait before you try again.',
            data: { 'retry-after': Math.ceil((known.until - clock()) / 1000) },
          });
      }
    },
    failed: (name) => {
      for (const [at, { seconds }] of rules.entries()) {
        const known = current(at, name) ?? { count: 0, until: clock() + seconds * 1000 };
        known.count++;
        const byName = failures[at];
        if (byName && byName.size > MAX_NAMES) byName.clear();
        byName?.set(name, known);
      }
    },
    succeeded: (name) => {
      for (const byName of failures) byName.delete(name);
    },
  };
}
