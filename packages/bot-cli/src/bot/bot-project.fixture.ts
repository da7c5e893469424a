import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ownProgram = fileURLToPath(new URL('../../bin/bellhop.js', import.meta.url));
const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

export type BotProject = Awaited<ReturnType<typeof botProject>>;

/**
 * A directory outside of the repository with the files of a bot. `run` and `start` run `bellhop` in it: the
 * commands of this package, or another `program`.
 */
export async function botProject(
  files: Readonly<Record<string, string>> = {},
  program: string = ownProgram,
) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'bellhop-bot-')));
  await symlink(packages, join(directory, 'node_modules'), 'dir');
  const running = new Set<ReturnType<typeof start>>();
  const write = (name: string, content: string) => writeFile(join(directory, name), content);
  await write('package.json', '{"type":"module"}');
  for (const [name, content] of Object.entries(files)) await write(name, content);

  function start(args: readonly string[], { env = {} }: RunOptions = {}) {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: directory,
      // Hides a sandbox that happens to run.
      env: { ...process.env, BELLHOP_DATA_DIR: directory, NODE_ENV: '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    void once(child, 'exit').then(() => running.delete(child));
    return child;
  }
  return {
    directory,
    write,
    start,
    async run(args: readonly string[], options: RunOptions = {}) {
      const child = start(args, options);
      child.stdin.end(options.input ?? '');
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { out, err, code: Number(code) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        Array.from(running, (child) => {
          child.kill('SIGKILL');
          return once(child, 'exit');
        }),
      );
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The source of a bot's module. `calls` are those of the bot: `.command(...)`. */
export const botSource = (
  calls: string,
) => `import { type BotOptions, createBot } from '@bellhop/bot';

export default (options: BotOptions) => createBot(options)${calls};
`;
