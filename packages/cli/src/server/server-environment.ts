import { UserError } from '@bellhop/bot-cli/command-line';
import { type Config, readConfig, variables } from '@bellhop/server';

import { bouncerVariableNames, bouncerVariablesOfServers } from '../bouncer/variable-names.ts';
import { misspeltVariables } from '../service/misspelt-variables.ts';

/** The server's variables for `--help`. */
export const variableList: string = variables
  .map(
    ({ name, description, required }) =>
      `  ${name}\n      ${required ? '(required) ' : ''}${description}`,
  )
  .join('\n');

/** One environment may serve a server and its bouncer. */
const known = [...variables.map(({ name }) => name), ...bouncerVariableNames];

/** Reads the server's configuration. Throws one UserError with a line for each fault. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Config {
  const isMissing = (name: string) => !env[name];
  const required = variables.filter((variable) => variable.required && isMissing(variable.name));
  const bouncer = bouncerVariablesOfServers.every(isMissing)
    ? []
    : bouncerVariablesOfServers.filter(isMissing);
  const misspelt = misspeltVariables(env, known).map((line) => `  ${line}`);
  const missing = [
    ...required.map(({ name, description }) => `  ${name}: ${description}`),
    ...bouncer.map((name) => `  ${name}: set all three of the bouncer's variables, or none`),
  ];
  if (missing.length > 0)
    throw new UserError(
      `These variables are missing ("bellhop secrets" makes secrets):\n${[...misspelt, ...missing].join('\n')}`,
    );
  const { config, problem } = tryRead(env);
  const problems = [...(problem === undefined ? [] : [problem]), ...misspelt];
  if (config && problems.length === 0) return config;
  throw new UserError(
    problem === undefined
      ? `These variables are unknown:\n${misspelt.join('\n')}`
      : problems.join('\n'),
  );
}

function tryRead(env: Readonly<Record<string, string | undefined>>) {
  try {
    return { config: readConfig(env), problem: undefined };
  } catch (error) {
    return { config: undefined, problem: (error as Error).message };
  }
}
