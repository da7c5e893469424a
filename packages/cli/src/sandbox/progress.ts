/** Prints the steps of a start. */
export interface Progress {
  /** Prints the name of a step, runs it, and prints its duration or its failure. */
  readonly step: <T>(what: string, work: () => Promise<T>) => Promise<T>;
  readonly seconds: () => string;
}

/**
 * Once `stopping` is aborted, further steps reject with its reason and do not run, and a step that fails is
 * not called a failure: its processes get the same Ctrl-C.
 */
export function progressTo(print: (line: string) => void, stopping?: AbortSignal): Progress {
  const started = performance.now();
  const since = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  return {
    step: async (what, work) => {
      stopping?.throwIfAborted();
      const start = performance.now();
      print(`  ... ${what}`);
      try {
        const result = await work();
        print(`   ok ${what} (${since(start)})`);
        return result;
      } catch (error) {
        if (!stopping?.aborted) print(`   !! ${what} failed (${since(start)})`);
        throw error;
      }
    },
    seconds: () => since(started),
  };
}
