import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { isOutside, PortabilityError } from '../form.ts';

/** An export as a folder. Disposing it removes what was unpacked. */
export interface OpenExport extends AsyncDisposable {
  readonly folder: string;
}

export interface UnpackLimits {
  /** Bytes of all files together. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

const limits: UnpackLimits = { maxBytes: 1024 ** 4, maxFiles: 10_000_000 };

/**
 * Opens an export: a folder, or a .zip or .tar.gz of one, which is unpacked below the directory for
 * temporary files. `first` is a file that the folder has. Throws a PortabilityError for anything else, for an
 * archive that names files outside of it, and for one beyond the limits.
 */
export async function openExport(
  path: string,
  first: string,
  unpack: UnpackLimits = limits,
): Promise<OpenExport> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new PortabilityError(`There is no ${path}.`);
  if (found.isDirectory())
    return { folder: await folderWith(path, first), [Symbol.asyncDispose]: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await unpackInto(folder, path, unpack);
    return { folder: await folderWith(folder, first), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The folder with a file, or the only folder in it that has the file, as archives often have one. */
async function folderWith(folder: string, first: string): Promise<string> {
  const has = (at: string) =>
    stat(join(at, first)).then(
      (found) => found.isFile(),
      () => false,
    );
  if (await has(folder)) return folder;
  const inner = await readdir(folder, { withFileTypes: true });
  const folders = inner.filter((entry) => entry.isDirectory());
  const [only] = folders;
  if (only && folders.length === 1 && (await has(join(folder, only.name))))
    return join(folder, only.name);
  throw new PortabilityError(
    `There is no ${first} in it: this is no export in a form that is known.`,
  );
}

async function unpackInto(folder: string, path: string, unpack: UnpackLimits): Promise<void> {
  const file = await firstBytes(path);
  if (file.subarray(0, 2).toString('latin1') === 'PK') return unpackZip(folder, path, unpack);
  if (file.subarray(0, 2).toString('hex') === '1f8b') return unpackTar(folder, path, unpack);
  throw new PortabilityError(`${path} is neither a folder nor a .zip or .tar.gz.`);
}

async function firstBytes(path: string): Promise<Buffer> {
  for await (const bytes of createReadStream(path, { end: 3 }) as AsyncIterable<Buffer>)
    return bytes;
  return Buffer.alloc(0);
}

/** Counts what is unpacked, and throws for too much. */
function meter({ maxBytes, maxFiles }: UnpackLimits) {
  let bytes = 0;
  let files = 0;
  const check = () => {
    if (bytes > maxBytes || files > maxFiles)
      throw new PortabilityError(
        `The archive unpacks to more than ${Math.floor(maxBytes / 1_048_576)} MiB or ${maxFiles} files. Unpack it yourself and name the folder.`,
      );
  };
  return {
    file: () => {
      files += 1;
      check();
    },
    bytes: (more: number) => {
      bytes += more;
      check();
    },
  };
}

async function unpackTar(folder: string, path: string, unpack: UnpackLimits): Promise<void> {
  const tar = await import('tar');
  const measured = meter(unpack);
  let fault: unknown;
  try {
    await tar.extract({
      file: path,
      cwd: folder,
      strict: true,
      // Links could lead out of the folder; an export has none.
      filter: (name, entry) => {
        if (fault !== undefined) return false;
        try {
          // Some archives have an entry for the folder itself.
          if (/^\.?\/?$/.test(name)) return true;
          if (isOutside(folder, join(folder, name))) throw outside(name);
          if (
            'type' in entry &&
            !['File', 'OldFile', 'Directory', 'ContiguousFile'].includes(entry.type)
          )
            throw new PortabilityError(`The archive has a link, "${name}". An export has none.`);
          measured.file();
          measured.bytes(entry.size ?? 0);
        } catch (error) {
          fault = error;
        }
        return fault === undefined;
      },
    });
  } catch (error) {
    fault ??= new PortabilityError(`${path} cannot be unpacked: ${(error as Error).message}`);
  }
  if (fault !== undefined) throw fault as Error;
}

const outside = (name: string) =>
  new PortabilityError(`The archive names the file "${name}", which is outside of it.`);

async function unpackZip(folder: string, path: string, unpack: UnpackLimits): Promise<void> {
  const { openPromise } = await import('yauzl');
  const measured = meter(unpack);
  let archive;
  try {
    archive = await openPromise(path);
  } catch (error) {
    throw new PortabilityError(`${path} cannot be unpacked: ${(error as Error).message}`);
  }
  try {
    for await (const entry of archive.eachEntry()) {
      const name = entry.fileName;
      const target = join(folder, name);
      if (name.endsWith('/')) continue;
      if (isOutside(folder, target)) throw outside(name);
      // The bits of a symbolic link, in archives made on UNIX.
      if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
        throw new PortabilityError(`The archive has a link, "${name}". An export has none.`);
      measured.file();
      await mkdir(dirname(target), { recursive: true });
      const source = await archive.openReadStreamPromise(entry);
      source.on('data', (chunk: Buffer) => {
        try {
          measured.bytes(chunk.length);
        } catch (error) {
          source.destroy(error as Error);
        }
      });
      await pipeline(source, createWriteStream(target));
    }
  } catch (error) {
    if (error instanceof PortabilityError) throw error;
    throw new PortabilityError(`${path} cannot be unpacked: ${(error as Error).message}`);
  } finally {
    archive.close();
  }
}

/** A small JSON file of an export; undefined if there is none. */
export async function readSmall(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.size > 1_048_576) throw new PortabilityError(`${name} of the export is too large.`);
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new PortabilityError(`${name} of the export is no JSON: ${(error as Error).message}`);
  }
}
