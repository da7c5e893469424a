/** Time and timers of a bot. A test may give a clock that it controls. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after this many milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** The clock of the machine. Its timers do not keep the process alive. */
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
