/** The steps of a request in their order. `connect` includes TLS. */
export type OutboundStep = 'dns' | 'connect' | 'first_byte' | 'body';

/**
 * Milliseconds of the steps of a request. Null: the step was not reached, or was not needed because
 * a connection was open. `first_byte` counts from the sent request to the head of the response,
 * `total` from the call to its end.
 */
export interface OutboundTiming {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly first_byte: number | null;
  readonly total: number;
}

/** Measures the steps of one request. */
export class StepClock {
  readonly #startedAt = performance.now();
  readonly #ms: { [Step in OutboundStep]?: number } = {};
  #stepStartedAt = this.#startedAt;
  #isOpening = false;
  /** The step that the request has reached. */
  step: OutboundStep = 'first_byte';

  /** Begins a step; the one before it has ended. */
  begin(step: OutboundStep): void {
    const now = performance.now();
    // The time before a connection is opened does not count: the request waited for a free one.
    if (this.#isOpening || step === 'body') this.#ms[this.step] = now - this.#stepStartedAt;
    this.#isOpening = true;
    this.step = step;
    this.#stepStartedAt = now;
  }

  timing(): OutboundTiming {
    const { dns, connect, first_byte } = this.#ms;
    return {
      dns: rounded(dns),
      connect: rounded(connect),
      first_byte: rounded(first_byte),
      total: Math.round(performance.now() - this.#startedAt),
    };
  }
}

const rounded = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));
