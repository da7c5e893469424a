import type { Readable } from 'node:stream';

/** Reads a body up to a limit; a longer body is cut and its connection closed. */
export async function readUpTo(
  body: Readable,
  limit: number,
): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream and its socket.
    if (size > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), complete: size <= limit };
}
