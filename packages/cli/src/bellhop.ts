import { parseArgs } from 'node:util';

import { Complaint, type Command } from './command-line/command.ts';

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
    load: async () => (await import('./sandbox/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'try',
    summary: 'Try a running sandbox: a message to the bot, or a push to the phones',
    load: async () => (await import('./try/try.ts')).tryCommand,
  },
  {
    name: 'server',
    summary: 'Run the chat server',
    load: async () => (await import('./server/server.ts')).serverCommand,
  },
  {
    name: 'bouncer',
    summary: 'Run the push bouncer',
    load: async () => (await import('./bouncer/bouncer.ts')).bouncerCommand,
  },
  {
    name: 'secrets',
    summary: 'Print fresh secrets for a server and a bouncer',
    load: async () => (await import('./secrets/secrets.ts')).secretsCommand,
  },
  {
    name: 'bot new',
    summary: 'Make a project for a bot, with a test that passes',
    load: async () => (await import('./bot/new.ts')).newCommand,
  },
  {
    name: 'bot dev',
    summary: 'Run a bot while you write it, through the event queue',
    load: async () => (await import('./bot/dev.ts')).devCommand,
  },
  {
    name: 'bot chat',
    summary: 'Talk to a bot in the terminal, without a server',
    load: async () => (await import('./bot/chat.ts')).chatCommand,
  },
  {
    name: 'bot receive',
    summary: 'Give a recorded message to a bot and see what it says',
    load: async () => (await import('./bot/receive.ts')).receiveCommand,
  },
  {
    name: 'bot probe',
    summary: 'Find out what the endpoint of a bot does wrong',
    load: async () => (await import('./bot/probe.ts')).botProbeCommand,
  },
  {
    name: 'bot fake-server',
    summary: 'A chat server in memory, to test a bot against',
    load: async () => (await import('./bot/fake-server.ts')).botFakeServerCommand,
  },
];
const helpWords = ['help', '--help', '-h'];

/** Runs the command line; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [first = 'help', ...rest] = args;
  if (first === 'help' && rest.length > 0) return main([...rest.slice(0, 2), '--help']);
  if (helpWords.includes(first)) return overview(0);
  const listed = commands.find(({ name }) => name === wordsOf(name, args));
  if (!listed) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    const [second = 'help'] = rest;
    if (group.length > 0 && helpWords.includes(second)) return overview(0, group);
    const asked = group.length > 0 ? `${first} ${second}` : first;
    console.error(`There is no command "${asked}".\n`);
    return overview(2, group);
  }
  const others = args.slice(listed.name.split(' ').length);
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

/** The words at the start of the line that stand where a command's name would. */
const wordsOf = (name: string, args: readonly string[]) =>
  args.slice(0, name.split(' ').length).join(' ');

function overview(code: number, group: readonly Listed[] = []): number {
  const print = code === 0 ? console.log : console.error;
  print('Usage: bellhop <command> [options]\n');
  const listed = group.length > 0 ? group : commands;
  for (const { name, summary } of listed) print(`  ${name.padEnd(16)} ${summary}`);
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
