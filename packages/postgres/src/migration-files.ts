import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** The numbered SQL files of one package. `directory`: `new URL('../migrations/', import.meta.url)`. */
export interface Migrations {
  package: string;
  directory: URL;
}

export interface MigrationFile {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

/** Reads `0001-name.sql`, `0002-...`. Throws if the numbers have gaps. */
export async function readMigrationFiles(migrations: Migrations): Promise<MigrationFile[]> {
  const names = (await readdir(migrations.directory)).filter((name) => name.endsWith('.sql'));
  const files = await Promise.all(names.toSorted().map((name) => read(migrations.directory, name)));
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

async function read(directory: URL, name: string): Promise<MigrationFile> {
  const text = await readFile(new URL(name, directoryUrl(directory)), 'utf8');
  const sql = text.replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { number: Number(/^(\d{4})-/.exec(name)?.[1]), name, sql, checksum };
}

function directoryUrl(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}
