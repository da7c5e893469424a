import { variables } from '@bellhop/server';

import { bouncerVariableNames } from '../bouncer/variable-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the sandbox reads itself. */
const own = ['BELLHOP_PORT', 'BELLHOP_DATA_DIR', 'BELLHOP_LOG_LEVEL'];
/** Variables that it hands to its chat server. */
const passedOn = ['BELLHOP_PUBLIC_FEATURE_LEVEL', 'BELLHOP_PUBLIC_CLIENTS'];

export const serverVariables = (env: Environment): Environment =>
  Object.fromEntries(passedOn.map((name) => [name, env[name]]));

/** The names of variables of a server or bouncer that are set and have no effect on a sandbox. */
export const ignoredVariables = (env: Environment): string[] =>
  [...new Set([...variables.map(({ name }) => name), ...bouncerVariableNames])].filter(
    (name) => env[name] && name.startsWith('BELLHOP_') && ![...own, ...passedOn].includes(name),
  );
