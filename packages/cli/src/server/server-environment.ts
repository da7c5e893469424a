import { type Config, readConfig, variables } from '@bellhop/server';

import { UserError } from '../command-line/user-error.ts';

/** The server's variables, a line each, for `--help`. */
export const variableList: string = variables
  .map(({ name, description, required }) =>
    `  ${name.padEnd(26)} ${required ? '(required) ' : ''}${description}`.trimEnd(),
  )
  .join('\n');

const bouncerVariables = [
  'BELLHOP_BOUNCER_URL',
  'BELLHOP_BOUNCER_ORG_ID',
  'BELLHOP_BOUNCER_ORG_KEY',
];

/** Reads the server's configuration. Throws one UserError that names every missing variable. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Config {
  const isMissing = (name: string) => !env[name];
  const required = variables.filter((variable) => variable.required && isMissing(variable.name));
  const bouncer = bouncerVariables.every(isMissing) ? [] : bouncerVariables.filter(isMissing);
  const missing = [
    ...required.map(({ name, description }) => `  ${name}: ${description}`),
    ...bouncer.map((name) => `  ${name}: set all three of the bouncer's variables, or none`),
  ];
  if (missing.length > 0)
    throw new UserError(
      `These variables are missing ("bellhop secrets" makes secrets):\n${missing.join('\n')}`,
    );
  try {
    return readConfig(env);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}
