import type { StreamChunk } from './model-chunks.ts';

export type Chunks = AsyncIterable<StreamChunk> | Iterable<StreamChunk>;

/**
 * The argument of `ctx.stream`: chunks, the result of `streamText` of the Vercel AI SDK, or a
 * promise of either.
 */
export type StreamSource = Chunks | FullStream | PromiseLike<Chunks | FullStream>;

export interface FullStream {
  readonly fullStream: Chunks;
}

/** The chunks of a source. */
export async function chunksOf(source: StreamSource): Promise<Chunks> {
  const stream = await source;
  if (typeof stream === 'string') return [stream];
  return 'fullStream' in stream ? stream.fullStream : stream;
}
