import { MissingBytes } from '../../files/file-store.ts';

/** The size in bytes of every chunk of a file but the last. */
export const CHUNK = 524_288;

/** Splits bytes into chunks of one size. */
export async function* inChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    held.push(part);
    size += part.length;
    if (size < CHUNK) continue;
    let all = Buffer.concat(held);
    for (; all.length >= CHUNK; all = all.subarray(CHUNK)) yield all.subarray(0, CHUNK);
    held = [all];
    size = all.length;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Reads the bytes from `from` to before `to`, chunk by chunk. */
export async function* readChunks(
  piece: (number: number) => Promise<Buffer | undefined>,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (let number = Math.floor(from / CHUNK); number * CHUNK < to; number++) {
    const bytes = await piece(number);
    if (!bytes) throw new MissingBytes(`Piece ${number} of the file is gone`);
    const start = number * CHUNK;
    yield bytes.subarray(Math.max(from - start, 0), to - start);
  }
}
