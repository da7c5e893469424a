import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { thisCheckout } from './checkout.ts';
import type { Measure } from './measure.ts';
import { median } from './statistics.ts';

const ROUNDS = 9;
const PACKED = join(thisCheckout.path, 'packed');
const OURS = 'Bellhop';

/** Each framework, its program in `peers/bot-start/`, and the packages that its bot installs. */
const frameworks = [
  { name: OURS, program: 'bellhop', packages: {} },
  { name: 'grammY', program: 'grammy', packages: { grammy: '1.46.0' } },
  { name: '@slack/bolt', program: 'bolt', packages: { '@slack/bolt': '5.1.0' } },
  {
    name: 'Chat SDK with Telegram',
    program: 'chat-sdk',
    packages: {
      chat: '4.41.1',
      '@chat-adapter/telegram': '4.41.1',
      '@chat-adapter/state-memory': '4.41.0',
    },
  },
] as const;

/**
 * The costs of a bot before its first message, as installed from tarballs: size, import, start,
 * memory.
 */
export async function bench(): Promise<Measure[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'bellhop-bot-start-'));
  const directory = temporary.path;
  execFileSync(process.execPath, [join(thisCheckout.path, 'scripts/pack.ts')]);
  const folders = new Map<string, string>();
  for (const { name, program, packages } of frameworks)
    folders.set(name, await install(join(directory, program), program, packages));
  const starts = new Map<string, Start[]>(frameworks.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, folder] of folders) starts.get(name)?.push(await startBot(folder));
  return rows(starts, (name) => kilobytes(folders.get(name) ?? '') / 1024);
}

function rows(starts: ReadonlyMap<string, Start[]>, sizeOf: (name: string) => number): Measure[] {
  const of = (name: string, value: (start: Start) => number) =>
    median((starts.get(name) ?? []).map(value));
  const measures: [string, string, number, (name: string) => number][] = [
    ['installed size', 'MiB', 5, sizeOf],
    ['import', 'ms', 100, (name) => of(name, ({ imported }) => imported)],
    ['from the start of the process to listening', 'ms', 200, (name) => of(name, ({ ms }) => ms)],
    ['resident memory when listening', 'MiB', 70, (name) => of(name, ({ resident }) => resident)],
  ];
  return measures.flatMap(([measure, unit, target, value]) => {
    const ours = value(OURS);
    const row = (reference: number, reference_name: string) => ({
      bench: 'bot-start',
      measure,
      unit,
      ours,
      reference,
      reference_name,
      ratio: ours / reference,
      runs: ROUNDS,
    });
    const others = frameworks.filter(({ name }) => name !== OURS);
    return [row(target, 'target, at most'), ...others.map(({ name }) => row(value(name), name))];
  });
}

/** Installs a framework alone; ours from its tarballs. */
async function install(
  folder: string,
  program: string,
  packages: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(folder);
  const tarball = (name: string) => `file:${join(PACKED, `bellhop-${name}-0.1.0.tgz`)}`;
  const ours = {
    dependencies: { '@bellhop/bot': tarball('bot') },
    overrides: Object.fromEntries(
      ['client', 'directory-lock', 'protocol'].map((name) => [`@bellhop/${name}`, tarball(name)]),
    ),
  };
  const manifest = program === 'bellhop' ? ours : { dependencies: packages };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...manifest }));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const sources = join(import.meta.dirname, 'peers/bot-start');
  await copyFile(join(sources, 'measured.js'), join(folder, 'measured.js'));
  await copyFile(join(sources, `${program}.js`), join(folder, 'bot.js'));
  return folder;
}

const kilobytes = (folder: string): number =>
  Number.parseInt(String(execFileSync('du', ['-sk', join(folder, 'node_modules')])), 10);

interface Start {
  readonly imported: number;
  readonly resident: number;
  /** From the start of the process. */
  readonly ms: number;
}

async function startBot(folder: string): Promise<Start> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['bot.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = once(createInterface({ input: child.stdout }), 'line');
  const ended = exited.then(() => Promise.reject(new Error(`The bot in ${folder} has ended`)));
  const [line] = (await Promise.race([lines, ended])) as [string];
  const ms = performance.now() - begun;
  child.kill('SIGKILL');
  await exited;
  return { ...(JSON.parse(line) as Omit<Start, 'ms'>), ms };
}
