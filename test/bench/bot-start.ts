import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type PlatformName, platforms } from './bot-start/platforms.ts';
import { thisCheckout } from './checkout.ts';
import type { Measure } from './measure.ts';
import { median } from './statistics.ts';

const ROUNDS = 9;
const PACKED = join(thisCheckout.path, 'packed');
const OURS = 'Bellhop';

interface Framework {
  readonly name: string;
  /** Its program in `peers/bot-start/`. */
  readonly program: string;
  readonly platform: PlatformName;
  /** The packages that its bot installs. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages of this checkout that it installs from tarballs, with those that they need. */
  readonly ours?: readonly string[];
}

const chatSdk = { chat: '4.41.1', '@chat-adapter/state-memory': '4.41.0' };
const frameworks: readonly Framework[] = [
  { name: OURS, program: 'bellhop', platform: 'bellhop', packages: {}, ours: ['bot'] },
  { name: 'grammY', program: 'grammy', platform: 'telegram', packages: { grammy: '1.46.0' } },
  {
    name: '@slack/bolt',
    program: 'bolt',
    platform: 'slack',
    packages: { '@slack/bolt': '5.1.0' },
  },
  {
    name: 'Chat SDK with Slack',
    program: 'chat-sdk-slack',
    platform: 'slack',
    packages: { ...chatSdk, '@chat-adapter/slack': '4.41.1' },
  },
  {
    name: 'Chat SDK with Telegram',
    program: 'chat-sdk-telegram',
    platform: 'telegram',
    packages: { ...chatSdk, '@chat-adapter/telegram': '4.41.1' },
  },
  {
    name: 'Chat SDK with Bellhop',
    program: 'chat-sdk-bellhop',
    platform: 'bellhop',
    packages: chatSdk,
    ours: ['bot', 'chat-adapter'],
  },
];

interface Installed extends Framework {
  readonly folder: string;
}

/**
 * The costs of a bot before its first message, as installed from tarballs: size, packages, import, start,
 * first reply, memory. Each replies as its platform lets it, to a message of a platform on loopback.
 */
export async function bench(): Promise<Measure[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'bellhop-bot-start-'));
  execFileSync(process.execPath, [join(thisCheckout.path, 'scripts/pack.ts')]);
  const installed: Installed[] = [];
  for (const framework of frameworks) {
    const folder = join(temporary.path, framework.program);
    await install(folder, framework);
    installed.push({ ...framework, folder });
  }
  const starts = new Map<string, Start[]>(frameworks.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const one of installed) starts.get(one.name)?.push(await startBot(one));
  const folderOf = (name: string) => installed.find((one) => one.name === name)?.folder ?? '';
  return rows(starts, folderOf);
}

function rows(starts: ReadonlyMap<string, Start[]>, folderOf: (name: string) => string): Measure[] {
  const of = (value: (start: Start) => number) => (name: string) =>
    median((starts.get(name) ?? []).map(value));
  const measures: [string, string, number | undefined, (name: string) => number][] = [
    ['installed size', 'MiB', 5, (name) => kilobytes(folderOf(name)) / 1024],
    ['installed packages', 'packages', undefined, (name) => packagesIn(folderOf(name))],
    ['import', 'ms', 100, of(({ imported }) => imported)],
    ['from the start of the process to listening', 'ms', 200, of(({ ms }) => ms)],
    ['from the start of the process to its first reply', 'ms', undefined, of((one) => one.reply)],
    ['resident memory when listening', 'MiB', 70, of(({ resident }) => resident)],
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
    return [
      ...(target === undefined ? [] : [row(target, 'target, at most')]),
      ...others.map(({ name }) => row(value(name), name)),
    ];
  });
}

/** Installs a framework alone; ours from its tarballs. */
async function install(folder: string, { program, packages, ours = [] }: Framework): Promise<void> {
  await mkdir(folder);
  const tarballs = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        `@bellhop/${name}`,
        `file:${join(PACKED, `bellhop-${name}-0.1.0.tgz`)}`,
      ]),
    );
  const needed = ours.length > 0 ? ['client', 'directory-lock', 'protocol'] : [];
  const manifest = {
    type: 'module',
    dependencies: { ...packages, ...tarballs(ours) },
    overrides: tarballs(needed),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const sources = join(import.meta.dirname, 'peers/bot-start');
  for (const file of ['measured.js', 'chat-sdk.js'])
    await copyFile(join(sources, file), join(folder, file));
  await copyFile(join(sources, `${program}.js`), join(folder, 'bot.js'));
}

/** How many packages npm has put into a folder, without the folder itself. */
function packagesIn(folder: string): number {
  const lock = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  return Object.keys((JSON.parse(lock) as { packages: object }).packages).length;
}

const kilobytes = (folder: string): number =>
  Number.parseInt(String(execFileSync('du', ['-sk', join(folder, 'node_modules')])), 10);

interface Start {
  readonly url: string;
  readonly imported: number;
  readonly resident: number;
  /** From the start of the process until it listens, and until its first reply has come. */
  readonly ms: number;
  readonly reply: number;
}

async function startBot({ folder, platform: name }: Installed): Promise<Start> {
  await using platform = await platforms[name]();
  const begun = performance.now();
  const child = spawn(process.execPath, ['bot.js'], {
    cwd: folder,
    env: { ...process.env, ...platform.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = once(createInterface({ input: child.stdout }), 'line');
  const ended = exited.then(() => Promise.reject(new Error(`The bot in ${folder} has ended`)));
  const [line] = (await Promise.race([lines, ended])) as [string];
  const ms = performance.now() - begun;
  const told = JSON.parse(line) as Omit<Start, 'ms' | 'reply'>;
  await Promise.race([platform.ask(told.url), ended]);
  const reply = performance.now() - begun;
  child.kill('SIGKILL');
  await exited;
  return { ...told, ms, reply };
}
