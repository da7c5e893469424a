import { variables } from '@bellhop/bouncer/variables';

/**
 * Variables of a chat server whose names begin like those of a bouncer: one environment may serve
 * both.
 */
export const bouncerVariablesOfServers = [
  'BELLHOP_BOUNCER_URL',
  'BELLHOP_BOUNCER_ORG_ID',
  'BELLHOP_BOUNCER_ORG_KEY',
] as const;

/** Every variable of `bellhop bouncer`, with its `NAME_FILE`. */
export const bouncerVariableNames: readonly string[] = Object.entries(variables).flatMap(
  ([name, variable]) => ('orFile' in variable ? [name, `${name}_FILE`] : [name]),
);
