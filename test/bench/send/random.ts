/** Numbers that look random and are the same in every run. */
export interface Random {
  /** An integer from 0 up to, not including, `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(values: readonly T[]) => T;
  /** Different values, in random order. */
  readonly sample: <T>(values: readonly T[], count: number) => T[];
}

/** A linear congruential generator of 32 bits (Numerical Recipes); its high bits are used. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error('There is nothing to pick from');
    return values[below(values.length)] as T;
  };
  const sample = <T>(values: readonly T[], count: number): T[] => {
    const rest = [...values];
    return Array.from({ length: Math.min(count, rest.length) }, () => {
      const [taken] = rest.splice(below(rest.length), 1);
      return taken as T;
    });
  };
  return { below, pick, sample };
}
