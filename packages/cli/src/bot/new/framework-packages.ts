import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { UserError } from '@bellhop/bot-cli/command-line';
import { z } from 'zod';

const Manifest = z.object({ name: z.string(), version: z.string() });
const cliManifest = new URL('../../../package.json', import.meta.url);
const clone = new URL('../../../../../', import.meta.url);

/** The entries of the framework in the package.json of a new project. */
export interface FrameworkPackages {
  readonly bot: string;
  /** The commands. */
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
  const vendor = join(directory, 'vendor');
  await packInto(vendor);
  const files = await readdir(vendor);
  const at = files.map((file) => [nameIn(file), `file:vendor/${file}`] as const);
  const {
    '@bellhop/bot': bot = '',
    '@bellhop/bot-cli': cli = '',
    ...overrides
  } = Object.fromEntries(at);
  return { bot, cli, overrides };
}

const LONG_MS = 2000;

/** Gathers the tarballs that a bot needs, built from the sources of this clone if those have changed. */
async function packInto(folder: string): Promise<void> {
  const program = fileURLToPath(new URL('scripts/pack.ts', clone));
  const slow = setTimeout(
    () => console.log('Packing the framework of this clone: the first time takes half a minute.'),
    LONG_MS,
  );
  const args = [program, folder, '@bellhop/bot', '@bellhop/bot-cli'];
  await promisify(execFile)(process.execPath, args)
    .catch((error: unknown) => {
      const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
      throw new UserError(`The packages of this clone do not build ("npm run pack").\n${output}`);
    })
    .finally(() => clearTimeout(slow));
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
