export type Outcome =
  | { readonly kind: 'reading' | 'done' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Gathered {
  readonly text: string;
  readonly outcome: Outcome;
  /** Resolves when the text has ended, in whatever way. */
  readonly ended: Promise<void>;
  /** The text so far whenever there is more of it, until it ends. */
  news(): AsyncGenerator<string, void, void>;
  /** Reads no further. */
  stop(): void;
}

/** Reads a text that comes in pieces, no matter how fast anybody looks at it. */
export function gatherText(
  chunks: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): Gathered {
  const pieces = Symbol.asyncIterator in chunks ? chunks : ofAll(chunks);
  const iterator = pieces[Symbol.asyncIterator]();
  let text = '';
  let outcome: Outcome = { kind: 'reading' };
  let more = Promise.withResolvers<void>();
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();

  const end = (how: Outcome) => {
    if (outcome.kind !== 'reading') return;
    outcome = how;
    more.resolve();
    tellEnded();
    signal?.removeEventListener('abort', stop);
  };
  const stop = () => {
    if (outcome.kind !== 'reading') return;
    end({ kind: 'stopped' });
    // It may be waiting for something that never comes: nobody waits for it to return.
    iterator.return?.()?.catch(() => undefined);
  };
  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (outcome.kind !== 'reading') return;
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
    get outcome() {
      return outcome;
    },
    ended,
    async *news() {
      for (let seen = 0; outcome.kind === 'reading';) {
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

async function* ofAll<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}
