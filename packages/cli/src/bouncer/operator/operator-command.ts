import {
  type CommandFactory,
  defineCommand,
  printRows,
  switchFlag,
  terminalLine,
  UsageError,
  UserError,
} from '@bellhop/bot-cli/command-line';
import type { AskOptions } from '@bellhop/client';
import { type BouncerOperator, bouncerOperator, type Endpoint } from '@bellhop/protocol';

import { answers } from './answers.ts';
import { accessHelp, askOperator, type OperatorClient } from './ask-operator.ts';
import {
  argumentOf,
  briefOf,
  flagName,
  flagOf,
  isPairs,
  isText,
  pairsOf,
  rowsOf,
} from './parameters.ts';
import { printResult } from './print-result.ts';

type Values = Readonly<Record<string, unknown>>;
type Ask = (params: Values, options?: AskOptions) => Promise<Values>;
interface Run {
  readonly ask: Ask;
  readonly operator: OperatorClient;
  readonly params: Values;
  readonly json: boolean;
}

type Tellers = Readonly<
  Record<
    string,
    ((answer: Values, params: Values) => string | readonly string[] | object) | undefined
  >
>;

/** Writes to standard output. Resolves when that is done, with false if its reader has gone. */
const isRead = (text: string) =>
  new Promise<boolean>((resolve, reject) => {
    process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (error && error.code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });

/** What the operations do that are more than one call and its answer. Returns the exit code. */
const special: Readonly<Record<string, (run: Run) => Promise<number>>> = {
  'servers.export': async ({ ask, params }) => {
    for (let after: unknown; ;) {
      const part = after === undefined ? params : { ...params, after };
      // A long export may meet the rate limit of operators.
      const { records, next } = await ask(part, { retryPolicy: {} });
      const lines = (records as object[]).map((record) => `${JSON.stringify(record)}\n`);
      // Such as `head`, which has read enough.
      if (!(await isRead(lines.join('')))) return 0;
      if (next === null) return 0;
      after = next;
    }
  },
  'devices.sendTest': async ({ ask, params, json }) => {
    const { accepted, lines } = await ask(params);
    printResult(json ? { accepted, lines } : { lines }, { json });
    return accepted === true ? 0 : 1;
  },
};

/** Operations that ask for `--yes`, with what they would delete. */
const careful: Readonly<Record<string, (run: Run) => Promise<string>>> = {
  'servers.delete': ({ operator, params }) => describeServer(operator, params),
  'servers.deleteRealm': ({ operator, params }) => describeServer(operator, params),
};

async function describeServer(operator: OperatorClient, params: Values): Promise<string> {
  const { server, realms } = await operator.servers.show({ server: String(params['server']) });
  const realm = params['realm_uuid'] as string | undefined;
  const chosen = realms.filter(({ realm_uuid }) => realm === undefined || realm_uuid === realm);
  if (realm !== undefined && chosen.length === 0)
    throw new UserError(`${server.hostname} has no realm ${realm}.`);
  const devices = chosen.reduce((sum, one) => sum + one.devices, 0);
  return `${server.hostname} (${server.server_uuid}): realms ${chosen.length}, living devices ${devices}`;
}

/** The command of an operation of the operator's contract: its flags, arguments, help and answer. */
export function operatorCommand<R extends keyof BouncerOperator>(
  resource: R,
  name: string & keyof BouncerOperator[R],
): CommandFactory {
  const endpoint = (bouncerOperator[resource] as unknown as Record<string, Endpoint>)[name];
  if (!endpoint) throw new Error(`the contract has no ${resource}.${name}`);
  const id = `${resource}.${name}`;
  const { shape } = endpoint.params;
  const inPath = [...endpoint.route.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);
  const inArguments = [
    ...new Set([...inPath, ...Object.keys(shape).filter((word) => isText(shape[word]))]),
  ];
  const pairs = Object.keys(shape).find((word) => isPairs(shape[word]));
  const inFlags = Object.keys(shape).filter(
    (word) =>
      !inArguments.includes(word) &&
      word !== pairs &&
      !(id === 'servers.export' && word === 'after'),
  );
  const flags = Object.fromEntries(
    inFlags.map((word) => [flagName(word), flagOf(word, shape[word])]),
  );
  const rows = rowsOf(endpoint.result);
  const own = inArguments.map((word) => argumentOf(word, shape[word]));
  return defineCommand({
    description: [endpoint.description, accessHelp].filter(Boolean).join('\n\n'),
    flags: {
      ...flags,
      ...(careful[id] ? { yes: switchFlag('Do it: without it, says what would be deleted') } : {}),
      json: switchFlag('Print JSON, an object per line'),
    },
    args:
      pairs === undefined
        ? own
        : {
            each: {
              placeholder: `${inArguments.join(' ')} name=value`,
              brief: [
                ...inArguments.map((word) => `${word}: ${briefOf(word, shape[word])}`),
                `name=value: ${briefOf(pairs, shape[pairs])}`,
              ].join('; '),
              parse: String,
            },
          },
    async run(values, ...given) {
      const words = given as unknown[];
      if (words.length < inArguments.length + (pairs === undefined ? 0 : 1))
        throw new UsageError(
          `Write the ${inArguments.join(' and the ')}, then at least one NAME=VALUE.`,
        );
      const params = {
        ...Object.fromEntries(inArguments.map((word, at) => [word, words[at]])),
        ...Object.fromEntries(
          inFlags
            .map((word) => [word, (values as Values)[flagName(word)]] as const)
            .filter(([, value]) => value !== undefined),
        ),
        ...(pairs === undefined
          ? {}
          : {
              [pairs]: asUsage(() =>
                pairsOf(shape[pairs], words.slice(inArguments.length).map(String)),
              ),
            }),
      };
      return askOperator(async (operator) => {
        const ask = (operator[resource] as unknown as Record<string, Ask>)[name] as Ask;
        const run = { ask, operator, params, json: (values as Values)['json'] === true };
        const describe = careful[id];
        if (describe && (values as Values)['yes'] !== true) {
          console.log(`${await describe(run)}. Nothing was deleted: add --yes.`);
          return 1;
        }
        if (special[id]) return special[id](run);
        const answer = await ask(params);
        const tell = (answers[resource as 'access'] as Tellers | undefined)?.[name];
        if (run.json && rows !== undefined) printRows(answer[rows] as object[], run);
        else if (run.json || !tell) printResult(answer, run);
        else printTold(tell(answer, params));
        return 0;
      });
    },
  });
}

function printTold(told: string | readonly string[] | object): void {
  if (typeof told !== 'string' && !Array.isArray(told)) printResult(told, { json: false });
  else for (const line of [told].flat()) console.log(terminalLine(String(line)));
}

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SyntaxError ? new UsageError(`${error.message}.`) : error;
  }
}
