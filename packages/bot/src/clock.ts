/** Time as a bot sees it. Tests hand in one of their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless the function it returns is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** The machine's clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds. */
export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
