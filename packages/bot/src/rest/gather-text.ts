export type TextState =
  | { readonly kind: 'reading' | 'done' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface GatheredText {
  readonly text: string;
  readonly state: TextState;
  /** Resolves when the text is done, stopped or failed. */
  readonly ended: Promise<void>;
  /** Yields the text so far each time it has grown, until it ends. */
  updates(): AsyncGenerator<string, void, void>;
  /** Stops reading. */
  stop(): void;
}

/** Reads a text in chunks, at the speed of its source and not of its reader. */
export function gatherText(
  chunks: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): GatheredText {
  const source = Symbol.asyncIterator in chunks ? chunks : toAsync(chunks);
  const iterator = source[Symbol.asyncIterator]();
  let text = '';
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
  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (state.kind !== 'reading') return;
      if (done) return end({ kind: 'done' });
      text += value;
      more.resolve();
    }
  };
  if (signal?.aborted) stop();
  else {
    signal?.addEventListener('abort', stop);
    read().catch((error: unknown) => end({ kind: 'failed', error }));
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
        if (text.length === seen) {
          more = Promise.withResolvers();
          await more.promise;
          continue;
        }
        seen = text.length;
        yield text;
      }
    },
    stop,
  };
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}
