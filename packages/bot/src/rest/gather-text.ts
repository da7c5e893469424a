import { meaningOf, type StreamChunk } from './model-chunks.ts';

export type TextState =
  | { readonly kind: 'reading' | 'done' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The text so far, and a line about what takes place before more text comes. */
export interface TextUpdate {
  readonly text: string;
  readonly status: string | undefined;
}

export interface GatheredText {
  readonly text: string;
  readonly state: TextState;
  /** Resolves when the text is done, stopped or failed. */
  readonly ended: Promise<void>;
  /** Yields the text so far each time it or the status has changed, until it ends. */
  updates(): AsyncGenerator<TextUpdate, void, void>;
  /** Stops reading. */
  stop(): void;
}

/** Reads a text in chunks, at the speed of its source and not of its reader. */
export function gatherText(
  chunks: AsyncIterable<StreamChunk> | Iterable<StreamChunk>,
  signal?: AbortSignal,
): GatheredText {
  const source = Symbol.asyncIterator in chunks ? chunks : toAsync(chunks);
  const iterator = source[Symbol.asyncIterator]();
  let text = '';
  let status: string | undefined;
  let changes = 0;
  let state: TextState = { kind: 'reading' };
  let more = Promise.withResolvers<void>();
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>();

  const end = (ending: TextState) => {
    if (state.kind !== 'reading') return;
    state = ending;
    more.resolve();
    resolveEnded();
    signal?.removeEventListener('abort', stop);
  };
  const stop = () => {
    if (state.kind !== 'reading') return;
    end({ kind: 'stopped' });
    // Not awaited: the source may be waiting for a chunk that never comes.
    iterator.return?.()?.catch(() => undefined);
  };
  const take = (chunk: StreamChunk) => {
    const meaning = meaningOf(chunk);
    if (meaning === undefined) return;
    if (meaning.kind === 'aborted') return stop();
    if (meaning.kind === 'error') throw meaning.error;
    if (meaning.kind === 'text') text += meaning.text;
    status = meaning.kind === 'status' ? meaning.status : undefined;
    changes += 1;
    more.resolve();
  };
  const fail = (error: unknown) => {
    end({ kind: 'failed', error });
    iterator.return?.()?.catch(() => undefined);
  };
  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (state.kind !== 'reading') return;
      if (done) return end({ kind: 'done' });
      take(value);
    }
  };
  if (signal?.aborted) stop();
  else {
    signal?.addEventListener('abort', stop);
    read().catch(fail);
  }
  return {
    get text() {
      return text;
    },
    get state() {
      return state;
    },
    ended,
    async *updates() {
      for (let seen = 0; state.kind === 'reading';) {
        if (changes === seen) {
          more = Promise.withResolvers();
          await more.promise;
          continue;
        }
        seen = changes;
        yield { text, status };
      }
    },
    stop,
  };
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}
