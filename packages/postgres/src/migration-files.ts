import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The SQL of one package. */
export interface Migrations {
  package: string;
  /** The folder of its numbered files: `new URL('../migrations/', import.meta.url)`. */
  directory: URL;
  /**
   * A file that creates or replaces the functions of the database. It runs after the numbered files,
   * and again whenever it has changed.
   */
  functions?: URL;
}

export interface MigrationFile {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  /** Checksums of older forms that made the same tables, from lines `-- was <checksum>`. */
  former: string[];
}

/** The number of the file of functions among the recorded files. */
export const FUNCTIONS = 0;

/** The numbered files of a package, and that of its functions. */
export interface PackageFiles {
  files: MigrationFile[];
  functions: MigrationFile | undefined;
}

/** Reads all SQL of a package. Throws if the numbers of its files have gaps. */
export async function readPackageFiles(migrations: Migrations): Promise<PackageFiles> {
  const { functions } = migrations;
  return {
    files: await readNumbered(migrations),
    functions: functions && { ...(await read(functions)), number: FUNCTIONS },
  };
}

/** Reads `0001-name.sql`, `0002-...`. */
async function readNumbered(migrations: Migrations): Promise<MigrationFile[]> {
  const names = (await readdir(migrations.directory)).filter((name) => name.endsWith('.sql'));
  const directory = directoryUrl(migrations.directory);
  const files = await Promise.all(names.toSorted().map((name) => read(new URL(name, directory))));
  for (const [index, { number, name }] of files.entries()) {
    if (number !== index + 1) {
      throw new Error(
        `Migration ${name} of ${migrations.package} must have the number ${index + 1}: ` +
          'files are named like 0001-name.sql, from 1 without gaps',
      );
    }
  }
  return files;
}

async function read(url: URL): Promise<MigrationFile> {
  const name = basename(fileURLToPath(url));
  const sql = (await readFile(url, 'utf8')).replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(sql).digest('hex');
  const former = [...sql.matchAll(/^-- was ([0-9a-f]{64})$/gm)].map(([, was = '']) => was);
  return { number: Number(/^(\d{4})-/.exec(name)?.[1]), name, sql, checksum, former };
}

function directoryUrl(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}
