import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { z } from 'zod';

import { UserError } from '../../command-line/user-error.ts';

const Manifest = z.object({ name: z.string(), version: z.string() });
const cliManifest = new URL('../../../package.json', import.meta.url);
const clone = new URL('../../../../../', import.meta.url);

/** The entries of the framework in the package.json of a new project. */
export interface FrameworkPackages {
  readonly bot: string;
  readonly cli: string;
  /**
   * Where npm finds the packages that the framework needs; undefined if they are in the registry.
   */
  readonly overrides: Readonly<Record<string, string>> | undefined;
}

/**
 * The versions of the framework for a new project. From a clone, whose packages are in no registry, it
 * copies their tarballs to `vendor/` of the project, so that it also installs on other machines.
 */
export async function frameworkPackages(directory: string): Promise<FrameworkPackages> {
  if (await isClone()) return vendored(directory);
  const { version } = await read(cliManifest);
  return { bot: `^${version}`, cli: `^${version}`, overrides: undefined };
}

async function vendored(directory: string): Promise<FrameworkPackages> {
  const packed = await packedTarballs();
  const vendor = join(directory, 'vendor');
  await mkdir(vendor);
  for (const { path, file } of packed) await copyFile(path, join(vendor, file));
  const at = new Map(packed.map(({ name, file }) => [name, `file:vendor/${file}`]));
  const { '@bellhop/bot': bot = '', bellhop: cli = '', ...overrides } = Object.fromEntries(at);
  return { bot, cli, overrides };
}

const LONG_MS = 2000;

/** The tarballs of this clone, built from its sources if they have changed. */
async function packedTarballs() {
  const program = fileURLToPath(new URL('scripts/pack.ts', clone));
  const slow = setTimeout(
    () => console.log('Packing the framework of this clone: the first time takes a minute or two.'),
    LONG_MS,
  );
  await promisify(execFile)(process.execPath, [program])
    .catch((error: unknown) => {
      const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
      throw new UserError(`The packages of this clone do not build ("npm run pack").\n${output}`);
    })
    .finally(() => clearTimeout(slow));
  const folder = fileURLToPath(new URL('packed/', clone));
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  return files.map((file) => ({ file, path: join(folder, file), name: nameIn(file) }));
}

/** `@bellhop/bot` for `bellhop-bot-0.1.0.tgz`: npm writes a scope without its signs. */
function nameIn(file: string): string {
  const name = file.replace(/-\d+\.\d+\.\d+.*$/, '');
  return name.replace(/^bellhop-/, '@bellhop/');
}

const isClone = () =>
  read(new URL('packages/bot/package.json', clone)).then(
    ({ name }) => name === '@bellhop/bot',
    () => false,
  );

const read = async (manifest: URL) => Manifest.parse(JSON.parse(await readFile(manifest, 'utf8')));
