import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { packAll } from './pack-all.ts';
import { bin } from './program.ts';
import { root } from './source-files.ts';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export type InstalledProject = Awaited<ReturnType<typeof installedProject>>;

/**
 * A project that `bellhop bot new` of this clone wrote outside of it, with its packages installed: what
 * runs there comes from tarballs. `whole`: it has the whole `bellhop` too, with all packages of ours.
 */
export async function installedProject({ whole = false }: { readonly whole?: boolean } = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'bellhop-installed-')));
  // Hides a sandbox that happens to run, and the repository's own programs.
  const environment = {
    ...process.env,
    BELLHOP_DATA_DIR: join(directory, 'no-sandbox'),
    PATH: `${join(directory, 'node_modules/.bin')}:${process.env['PATH']}`,
  };
  const running = new Set<ChildProcess>();

  function start(
    command: string,
    args: readonly string[],
    { cwd = '', env = {} }: RunOptions = {},
  ) {
    const child = spawn(command, args, {
      cwd: join(directory, cwd),
      env: { ...environment, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    // A program may end before it has read its input.
    child.stdin.on('error', () => {});
    child.once('exit', () => running.delete(child));
    return child;
  }

  async function run(command: string, args: readonly string[], options: RunOptions = {}) {
    const child = start(command, args, options);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.end(options.input ?? '');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, output: out + err };
  }

  await promisify(execFile)(process.execPath, [bin, 'bot', 'new', directory], { env: environment });
  if (whole) await addWhole(directory);
  const installed = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
  if (installed.code !== 0) throw new Error(installed.output);

  return {
    directory,
    start,
    run,
    write: (name: string, content: string) => writeFile(join(directory, name), content),
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Adds every package of this clone to a project, from its tarball. */
async function addWhole(directory: string): Promise<void> {
  await packAll();
  const path = join(directory, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Project;
  const packed = (await readdir(join(root, 'packed'))).map((file) => {
    const [, name = ''] = /^(?:bellhop-)?(.*)-\d+\.\d+\.\d+\.tgz$/.exec(file) ?? [];
    return [name === 'bellhop' ? name : `@bellhop/${name}`, `file:${join(root, 'packed', file)}`];
  });
  const {
    bellhop,
    '@bellhop/bot': bot,
    '@bellhop/bot-cli': cli,
    '@bellhop/chat-adapter': adapter,
    ...overrides
  } = Object.fromEntries(packed) as Record<string, string>;
  Object.assign(manifest.dependencies, { '@bellhop/bot': bot, '@bellhop/chat-adapter': adapter });
  Object.assign(manifest.devDependencies, { bellhop, '@bellhop/bot-cli': cli });
  await writeFile(path, JSON.stringify({ ...manifest, overrides }));
}

interface Project {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
