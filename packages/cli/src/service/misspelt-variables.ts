import { distance } from 'fastest-levenshtein';

/** Variables of every service of the command. */
const common = ['BELLHOP_DATA_DIR', 'BELLHOP_LOG_LEVEL'];

/**
 * A line for each variable that is set and looks like a misspelt one of `names`. Other unknown variables
 * may belong to another program, except below BELLHOP_BOUNCER_.
 */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string[] {
  const known = new Set([...common, ...names]);
  return Object.keys(env)
    .filter((name) => name.startsWith('BELLHOP_') && env[name] && !known.has(name))
    .flatMap((name) => {
      const similar = [...known]
        .filter((one) => distance(name, one) <= 3)
        .toSorted((a, b) => distance(name, a) - distance(name, b))[0];
      if (similar !== undefined) return [`${name} is unknown: is ${similar} meant?`];
      return name.startsWith('BELLHOP_BOUNCER_') ? [`${name} is unknown`] : [];
    });
}
