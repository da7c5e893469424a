import type { IncomingMessage } from 'node:http';

export type Body = { text: string } | 'too_large' | 'broken_off';

/** Reads a request's body as UTF-8, and no further than `limit` bytes. Calls back once. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  callBack: (body: Body) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let done = false;
  const end = (body: Body) => {
    if (done) return;
    done = true;
    callBack(body);
  };
  if (request.readableEnded || request.destroyed) return end('broken_off');
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    request.pause();
    end('too_large');
  });
  request.on('end', () => end({ text: joined(chunks).toString() }));
  request.on('close', () => end('broken_off'));
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
