import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename } from 'node:path';

import { JSONParser } from '@streamparser/json';

import { type FormRecord, PortabilityError } from './form.ts';

/** More bytes without the end of a record: no server of this form writes such a one. */
const MAX_RECORD_BYTES = 67_108_864;

export interface TableRecord {
  readonly table: string;
  readonly record: FormRecord;
}

/**
 * Reads `{"table": [record, ...], ...}` record by record: a file may be larger than the memory. Throws a
 * PortabilityError for a file in another form.
 */
export async function* readTables(
  path: string,
  wanted: ReadonlySet<string>,
): AsyncGenerator<TableRecord> {
  const found: TableRecord[] = [];
  const visit = (table: unknown, value: unknown) => {
    if (typeof table === 'string' && wanted.has(table))
      found.push({ table, record: asRecord(path, value) });
  };
  yield* read(path, { paths: ['$.*.*'], visit, found });
}

/** Reads `[record, ...]` record by record. Throws a PortabilityError for a file in another form. */
export async function* readList(path: string): AsyncGenerator<FormRecord> {
  const found: FormRecord[] = [];
  const visit = (_table: unknown, value: unknown) => void found.push(asRecord(path, value));
  yield* read(path, { paths: ['$.*'], visit, found });
}

interface Reading<T> {
  readonly paths: string[];
  readonly visit: (table: unknown, value: unknown) => void;
  /** `visit` adds to it. */
  readonly found: T[];
}

async function* read<T>(path: string, { paths, visit, found }: Reading<T>): AsyncGenerator<T> {
  const parser = new JSONParser({ paths, keepStack: false });
  let sinceRecord = 0;
  let isEnded = false;
  parser.onValue = ({ value, stack }) => {
    sinceRecord = 0;
    visit(stack[1]?.key, value);
  };
  parser.onEnd = () => (isEnded = true);
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      sinceRecord += chunk.length;
      parser.write(chunk);
      if (sinceRecord > MAX_RECORD_BYTES)
        throw new PortabilityError(`${basename(path)} has a record of more than 64 MiB.`);
      yield* found;
      found.length = 0;
    }
  } catch (error) {
    if (error instanceof PortabilityError) throw error;
    throw new PortabilityError(`${basename(path)} is no JSON file: ${(error as Error).message}`);
  }
  if (!isEnded) throw new PortabilityError(`${basename(path)} is cut off. Copy the export again.`);
}

const asRecord = (path: string, value: unknown): FormRecord => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as FormRecord;
  throw new PortabilityError(`${basename(path)} is no list of records of an export.`);
};

/** Groups what an iterable yields, at most `size` at a time. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes a JSON file piece by piece. It has its name only when it is complete and on disk. */
export class JsonFile {
  readonly #path: string;
  readonly #file: FileHandle;
  #isFirst = true;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<JsonFile> {
    return new JsonFile(path, await open(`${path}.partial`, 'w'));
  }

  /** Writes a list of records that come in pages. Returns their number. */
  async list(pages: AsyncIterable<readonly object[]>): Promise<number> {
    let count = 0;
    await this.#file.write('[');
    for await (const page of pages) {
      if (page.length === 0) continue;
      const text = page.map((record) => JSON.stringify(record)).join(',\n');
      await this.#file.write(count === 0 ? `\n${text}` : `,\n${text}`);
      count += page.length;
    }
    await this.#file.write(']');
    return count;
  }

  /** Writes a list as the member of an object. Returns the number of its records. */
  async table(name: string, pages: AsyncIterable<readonly object[]>): Promise<number> {
    await this.#file.write(`${this.#isFirst ? '{' : ',\n'}${JSON.stringify(name)}: `);
    this.#isFirst = false;
    return this.list(pages);
  }

  async end(): Promise<void> {
    await this.#file.write(this.#isFirst ? '\n' : '}\n');
    await this.#file.sync();
    await this.#file.close();
    await rename(`${this.#path}.partial`, this.#path);
  }

  /** Closes the file without a name. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }
}
