import { parseArgs } from 'node:util';

import { Complaint, type Command } from './command.ts';

interface Listed {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Each command is loaded when it is used: `try` needs no server. */
  readonly load: () => Promise<Command>;
}

const commands: readonly Listed[] = [
  {
    name: 'sandbox',
    summary: 'Start everything on this machine, to try and to develop against',
    load: async () => (await import('./sandbox-command.ts')).sandboxCommand,
  },
  {
    name: 'try',
    summary: 'Try a running sandbox: a message to the bot, or a push to the phones',
    load: async () => (await import('./try-command.ts')).tryCommand,
  },
  {
    name: 'server',
    summary: 'Run the chat server',
    load: async () => (await import('./server-command.ts')).serverCommand,
  },
  {
    name: 'bouncer',
    summary: 'Run the push bouncer',
    load: async () => (await import('./bouncer-command.ts')).bouncerCommand,
  },
  {
    name: 'secrets',
    summary: 'Print fresh secrets for a server and a bouncer',
    load: async () => (await import('./secrets-command.ts')).secretsCommand,
  },
];
const helpWords = ['help', '--help', '-h'];

/** Runs the command line; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [first = 'help', ...others] = args;
  if (first === 'help' && others.length > 0) return main([...others.slice(0, 1), '--help']);
  if (helpWords.includes(first)) return overview(0);
  const listed = commands.find(({ name }) => name === first);
  if (!listed) {
    console.error(`There is no command "${first}".\n`);
    return overview(2);
  }
  const command = await listed.load();
  try {
    const { values, positionals } = parseArgs({
      args: others,
      allowPositionals: command.takesWords ?? false,
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    });
    if (values['help']) return details(listed, command);
    return await command.run({ words: positionals, options: values as Values });
  } catch (error) {
    return explain(listed, error);
  }
}
type Values = Record<string, string | boolean | undefined>;

function overview(code: number): number {
  const print = code === 0 ? console.log : console.error;
  print('Usage: bellhop <command> [options]\n');
  for (const { name, summary } of commands) print(`  ${name.padEnd(10)} ${summary}`);
  print('\n"bellhop <command> --help" says more about each.');
  return code;
}

function details({ name, summary }: Listed, { usage, help }: Command): number {
  console.log(`Usage: bellhop ${`${name} ${usage}`.trim()}\n\n${summary}.\n\n${help.trim()}`);
  return 0;
}

function explain({ name }: Listed, error: unknown): number {
  const code = (error as { code?: unknown }).code;
  if (error instanceof Complaint) {
    console.error(error.message);
    return 1;
  }
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    const [what = ''] = (error as Error).message.split('. ');
    console.error(`${what}.\n"bellhop ${name} --help" lists what it takes.`);
    return 2;
  }
  console.error(error);
  return 1;
}
