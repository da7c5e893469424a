import type { Readable } from 'node:stream';

/** Reads a body until it ends or grows beyond a limit; then the connection is dropped. */
export async function readUpTo(
  body: Readable,
  limit: number,
): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream, and with it the socket.
    if (size > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), complete: size <= limit };
}
