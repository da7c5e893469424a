import { ApiError } from '@bellhop/protocol';

import type { User } from './caller.ts';

interface TurnsOptions {
  /** Works that run at a time. */
  readonly atOnce: number;
  /** Works of one person that run or wait; a further one is refused. Default: no limit. */
  readonly ofOne?: number;
  /** What a refused person is told. */
  readonly refusal?: string;
}

/** Seconds after which a refused work may be tried again. */
const RETRY_SECONDS = 5;

/**
 * Runs a limited number of works at a time. The others wait by person, and people take turns: somebody
 * with one work waits for at most one of each other person, however many those have. See
 * docs/decisions/0087-turns-by-person.md.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** Works that wait by person; the person whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Works that run or wait by person. */
  readonly #counts = new Map<string, number>();
  #running = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Whether no work runs or waits. */
  get isIdle(): boolean {
    return this.#counts.size === 0;
  }

  /** Runs a work in the turn of its person. Throws RATE_LIMIT_HIT if too many works of theirs wait. */
  async run<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    const { ofOne = Infinity, refusal = 'Too many requests of yours are waiting.' } = this.#options;
    const count = this.#counts.get(person) ?? 0;
    if (count >= ofOne)
      throw new ApiError('RATE_LIMIT_HIT', {
        message: `${refusal} Try again in a few seconds.`,
        data: { 'retry-after': RETRY_SECONDS },
      });
    this.#counts.set(person, count + 1);
    await this.#turnOf(person);
    try {
      return await work();
    } finally {
      this.#end(person);
    }
  }

  async #turnOf(person: string): Promise<void> {
    if (this.#running < this.#options.atOnce) {
      this.#running += 1;
      return;
    }
    const line = this.#waiting.get(person) ?? [];
    this.#waiting.set(person, line);
    await new Promise<void>((resolve) => line.push(resolve));
  }

  #end(person: string): void {
    const count = (this.#counts.get(person) ?? 0) - 1;
    if (count > 0) this.#counts.set(person, count);
    else this.#counts.delete(person);
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    // The next work takes the place of the ended one, and its person goes to the end of the line.
    const [whose, line] = next;
    this.#waiting.delete(whose);
    const start = line.shift();
    if (line.length > 0) this.#waiting.set(whose, line);
    start?.();
  }
}

/** A person for `Turns`: their bots do not give them more turns. */
export const personOf = ({
  realm_id,
  bot_owner_id,
  id,
}: Pick<User, 'realm_id' | 'bot_owner_id' | 'id'>): string => `${realm_id}/${bot_owner_id ?? id}`;
