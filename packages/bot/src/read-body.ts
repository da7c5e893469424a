import type { IncomingMessage } from 'node:http';

export type Body = { text: string } | 'too_large' | 'broken_off';

/** Reads a request's body as UTF-8, and no further than `limit` bytes. Never rejects. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > limit) return Promise.resolve('too_large');
  if (request.readableEnded || request.destroyed) return Promise.resolve('broken_off');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve('too_large');
    });
    request.on('end', () => resolve({ text: joined(chunks).toString() }));
    request.on('close', () => resolve('broken_off'));
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
