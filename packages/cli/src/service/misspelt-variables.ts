import { variables as bouncerVariables } from '@bellhop/bouncer';
import { variables as serverVariables } from '@bellhop/server';
import { findSimilar } from '@optique/core/suggestion';

/** Every variable of `bellhop server` and `bellhop bouncer`: one environment may serve both. */
const known = new Set([
  'BELLHOP_DATA_DIR',
  'BELLHOP_LOG_LEVEL',
  ...serverVariables.map(({ name }) => name),
  ...Object.entries(bouncerVariables).flatMap(([name, variable]) =>
    'orFile' in variable ? [name, `${name}_FILE`] : [name],
  ),
]);

/**
 * A line for each variable that is set and looks like a misspelt one. Other unknown variables may belong
 * to another program, except below BELLHOP_BOUNCER_.
 */
export function misspeltVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('BELLHOP_') && env[name] && !known.has(name))
    .flatMap((name) => {
      const [similar] = findSimilar(name, known, { maxDistance: 3, maxSuggestions: 1 });
      if (similar !== undefined) return [`${name} is unknown: is ${similar} meant?`];
      return name.startsWith('BELLHOP_BOUNCER_') ? [`${name} is unknown`] : [];
    });
}
