/** Tells what is being started while it starts. */
export interface Progress {
  /** Shows a step, does it, shows how long it took. */
  readonly step: <T>(what: string, work: () => Promise<T>) => Promise<T>;
  readonly seconds: () => string;
}

export function progressTo(print: (line: string) => void): Progress {
  const started = performance.now();
  const since = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  return {
    step: async (what, work) => {
      const start = performance.now();
      print(`  ... ${what}`);
      const result = await work();
      print(`   ok ${what} (${since(start)})`);
      return result;
    },
    seconds: () => since(started),
  };
}
