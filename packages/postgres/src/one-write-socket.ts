import { Socket } from 'node:net';

interface Chunk {
  readonly chunk: Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * A socket that writes buffers which were corked as one. A query is several small messages: to copy
 * them together takes less time than a system call with a list of them (about 40 microseconds).
 */
export class OneWriteSocket extends Socket {
  override _writev(chunks: Chunk[], callback: (error?: Error | null) => void): void {
    const [first] = chunks;
    if (!first) return callback();
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), first.encoding, callback);
  }
}
