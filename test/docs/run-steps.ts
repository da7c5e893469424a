import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, vi } from 'vitest';

/** A command of a page. */
export interface Step {
  readonly command: string;
  /** The answer that the page shows below it. */
  readonly shown?: unknown;
}

/** Each `sh` block of a page, with the `json` block below it. */
export function stepsIn(text: string): Step[] {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, command = ''], index) => {
    const [, below, answer = ''] = blocks[index + 1] ?? [];
    if (language !== 'sh') return [];
    return [below === 'json' ? { command, shown: JSON.parse(answer) as unknown } : { command }];
  });
}

interface StepOptions {
  /** The environment. Receives the values that the answers give for `made`. */
  readonly variables: Record<string, string>;
  /** Values that the page sets by `export`, and that each server makes anew: variable and key. */
  readonly made: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 40_000;

/**
 * Runs steps with bash, one after the other, without their `export`s of given variables. Each answer has
 * what the page shows; a GET (`-G`) is repeated until it has. Returns the outputs.
 */
export async function runSteps(
  steps: readonly Step[],
  { variables, made }: StepOptions,
): Promise<string[]> {
  const outputs: string[] = [];
  const varying = new Set([...Object.values(made), 'api_key']);
  for (const { command, shown } of steps) {
    const script = withoutExports(command, variables);
    const run = async () => {
      const env = { PATH: process.env['PATH'], ...variables };
      const running = promisify(execFile)('bash', ['-euc', script], { env, timeout: PATIENCE_MS });
      return (await running).stdout;
    };
    const check = (output: string) => {
      const answer = JSON.parse(output) as Record<string, unknown>;
      expect(answer, command).toMatchObject(pattern(shown, varying) as object);
      for (const [variable, key] of Object.entries(made))
        if (key in answer) variables[variable] = String(answer[key]);
    };
    const runAndCheck = async () => {
      const output = await run();
      if (shown !== undefined) check(output);
      return output;
    };
    const isGet = shown !== undefined && command.includes(' -G ');
    outputs.push(
      isGet
        ? await vi.waitFor(runAndCheck, { timeout: PATIENCE_MS, interval: 100 })
        : await runAndCheck(),
    );
  }
  return outputs;
}

/** Without lines that only export variables which are given. */
const withoutExports = (command: string, given: Readonly<Record<string, string>>): string =>
  command.replaceAll(/^export (\w+)=.*\n/gm, (line, name: string) => (name in given ? '' : line));

/** A pattern that accepts any number, and any text as the value of a key that varies. */
function pattern(shown: unknown, varying: ReadonlySet<string>, key = ''): unknown {
  if (typeof shown === 'number') return expect.any(Number);
  if (Array.isArray(shown)) return shown.map((item) => pattern(item, varying));
  if (typeof shown !== 'object' || shown === null)
    return varying.has(key) ? expect.any(String) : shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, pattern(value, varying, name)]),
  );
}
