import { parseArgs } from 'node:util';

import { bouncerCommand } from './bouncer-command.ts';
import { Complaint, type Command } from './command.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { serverCommand } from './server-command.ts';
import { tryCommand } from './try-command.ts';

const commands: readonly Command[] = [sandboxCommand, tryCommand, serverCommand, bouncerCommand];

/** Runs the command line; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  const command = commands.find((one) => one.name === name);
  if (!command)
    return name === 'help' || name === '--help' || name === '-h' ? overview(0) : unknown(name);
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    });
    if (values['help']) return details(command);
    return await command.run({
      words: positionals,
      options: values as Record<string, string | boolean | undefined>,
    });
  } catch (error) {
    return complain(command, error);
  }
}

function overview(code: number): number {
  const print = code === 0 ? console.log : console.error;
  print('Usage: bellhop <command> [options]\n');
  for (const { name, summary } of commands) print(`  ${name.padEnd(10)} ${summary}`);
  print('\n"bellhop <command> --help" says more about each.');
  return code;
}

function unknown(name: string): number {
  console.error(`There is no command "${name}".\n`);
  return overview(2);
}

function details({ name, summary, usage, help }: Command): number {
  console.log(`Usage: bellhop ${name} ${usage}\n\n${summary}.\n\n${help.trim()}`);
  return 0;
}

function complain({ name }: Command, error: unknown): number {
  const code = (error as { code?: unknown }).code;
  if (error instanceof Complaint) {
    console.error(error.message);
    return 1;
  }
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    console.error(`${(error as Error).message}\n"bellhop ${name} --help" lists what it takes.`);
    return 2;
  }
  console.error(error);
  return 1;
}
