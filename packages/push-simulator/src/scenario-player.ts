import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from './clock.ts';
import type { Devices } from './devices.ts';
import type { FaultBoard } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';

export interface ScenarioTarget {
  readonly devices: Devices;
  readonly faults: FaultBoard;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Waits; rejects when `signal` aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface ScenarioStatus {
  name: string;
  /** Steps done, of all rounds. */
  done: number;
  steps: number;
  running: boolean;
}

const waitFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false });

/** Plays one scenario at a time. Faults that it switched on stay until a step or `stop` clears them. */
export class ScenarioPlayer {
  readonly #target: ScenarioTarget;
  #current: { status: ScenarioStatus; ending: AbortController; end: Promise<void> } | undefined;

  constructor(target: ScenarioTarget) {
    this.#target = target;
  }

  /** The scenario that plays or played last. */
  status(): ScenarioStatus | null {
    return this.#current?.status ?? null;
  }

  /** Starts a scenario in place of the one that plays. `end` resolves after its last step. */
  play(scenario: Scenario): { readonly end: Promise<void> } {
    this.stop();
    const { name, steps, repeat = 1 } = scenario;
    const status = { name, done: 0, steps: steps.length * repeat, running: true };
    const ending = new AbortController();
    this.#report('start', status);
    const end = this.#run(scenario, status, ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      })
      .finally(() => {
        status.running = false;
        this.#report('end', status);
      });
    this.#current = { status, ending, end };
    return { end };
  }

  /** Ends the scenario, switches all faults off and sets the clock right. Returns whether one played. */
  stop(): boolean {
    if (this.#current?.status.running !== true) return false;
    this.#current.ending.abort();
    this.#target.faults.clear();
    this.#target.clock.offset_ms = 0;
    return true;
  }

  async #run({ steps, repeat = 1 }: Scenario, status: ScenarioStatus, signal: AbortSignal) {
    const { wait = waitFor } = this.#target;
    for (let round = 0; round < repeat; round++)
      for (const step of steps) {
        if (step.after_requests !== undefined)
          await this.#requests(step.after_requests, step.of, signal);
        if (step.after_seconds !== undefined) await wait(step.after_seconds * 1000, signal);
        signal.throwIfAborted();
        this.#apply(step);
        status.done++;
        this.#report('step', status);
      }
  }

  #requests(count: number, of: string | undefined, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let seen = 0;
    const end = this.#target.journal.listen((event) => {
      if (event.type !== 'request' || (of !== undefined && event.provider !== of)) return;
      if (++seen === count) resolve();
    });
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      end();
      signal.removeEventListener('abort', onAbort);
    });
  }

  #apply({ set, clear, uninstall, offline, online, clock_seconds }: ScenarioStep): void {
    const { devices, faults, clock } = this.#target;
    if (clear) faults.clear();
    for (const rule of set ?? []) faults.add(rule);
    const installed = devices.list().filter((device) => device.uninstalled === null);
    for (const { token } of installed.slice(0, uninstall ?? 0)) devices.uninstall(token);
    const connected = devices.list().filter((device) => device.online);
    for (const { token } of connected.slice(0, offline ?? 0)) devices.setOnline(token, false);
    if (online)
      for (const { token, uninstalled } of devices.list())
        if (uninstalled === null) devices.setOnline(token, true);
    if (clock_seconds !== undefined) clock.offset_ms = clock_seconds * 1000;
  }

  #report(op: 'start' | 'step' | 'end', { name, done }: ScenarioStatus): void {
    this.#target.journal.report({ type: 'scenario', op, name, step: done });
  }
}
