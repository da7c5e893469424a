import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { type RawBuilder, sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import { JsonFile } from '../json-file.ts';

/** Rows of a table that are in memory at a time. */
export const PAGE = 1000;

/** A statement may take long: no request waits for it. */
export const reading = { work: 'sweep' } as const;

/** Writes a small JSON file: it is there as a whole or not at all. */
export async function writeWhole(path: string, value: object): Promise<void> {
  await writeFile(`${path}.partial`, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  await rename(`${path}.partial`, path);
}

/** Writes a file piece by piece. It has its name when it is complete. */
export async function writeJson(
  path: string,
  write: (file: JsonFile) => Promise<void>,
): Promise<void> {
  const file = await JsonFile.create(path);
  try {
    await write(file);
  } catch (error) {
    await file.abandon();
    throw error;
  }
  await file.end();
}

/** A page, or a chunk, that is the only one. */
export async function* one<T>(page: T): AsyncGenerator<T> {
  yield page;
}

interface TableToWrite {
  readonly name: string;
  readonly query: RawBuilder<unknown>;
  readonly record?: (row: never) => object;
}

export const writeTable = (file: JsonFile, tx: Tx, { name, query, record }: TableToWrite) =>
  file.table(name, pagesOf(tx, query, record));

/** The rows of a query, page by page, through a cursor of the database. */
async function* pagesOf(
  tx: Tx,
  query: RawBuilder<unknown>,
  record: (row: never) => object = (row) => row,
): AsyncGenerator<object[]> {
  await sql`declare exported no scroll cursor for ${query}`.execute(tx);
  for (;;) {
    const { rows } = await sql`fetch ${sql.lit(PAGE)} from exported`.execute(tx);
    if (rows.length === 0) break;
    yield rows.map((row) => record(row as never));
  }
  await sql`close exported`.execute(tx);
}

/** Writes a file of bytes under its name when it is complete. */
export async function writeBytes(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.partial`, 'w');
  try {
    for await (const chunk of bytes) await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.partial`, path);
}
