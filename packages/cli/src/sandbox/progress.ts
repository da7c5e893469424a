/** Tells what is being started while it starts. */
export interface Progress {
  /** Shows a step, does it, shows how long it took, or that it failed. */
  readonly step: <T>(what: string, work: () => Promise<T>) => Promise<T>;
  readonly seconds: () => string;
}

/** Begins no further step once `asked` is aborted: the step then rejects with its reason. */
export function progressTo(print: (line: string) => void, asked?: AbortSignal): Progress {
  const started = performance.now();
  const since = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  return {
    step: async (what, work) => {
      asked?.throwIfAborted();
      const start = performance.now();
      print(`  ... ${what}`);
      try {
        const result = await work();
        print(`   ok ${what} (${since(start)})`);
        return result;
      } catch (error) {
        print(`   !! ${what} failed (${since(start)})`);
        throw error;
      }
    },
    seconds: () => since(started),
  };
}
