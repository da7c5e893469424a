import type { z } from 'zod';

import type { Clock } from './clock.ts';
import type { Devices } from './devices.ts';
import type { FaultBoard } from './faults.ts';
import type { Journal } from './journal.ts';
import type { ScenarioPlayer } from './scenario-player.ts';

/** The parts of a simulator that the control API shows and changes. */
export interface ControlTarget {
  addresses: Record<string, string>;
  devices: Devices;
  faults: FaultBoard;
  journal: Journal;
  scenarios: ScenarioPlayer;
  clock: Clock;
}

interface ControlCall<Query, Body> {
  simulator: ControlTarget;
  /** The variable parts of the path. */
  parts: string[];
  query: Query;
  body: Body;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** One operation of the control API. */
export interface ControlRoute {
  /** Method and path; `{name}` stands for one part. */
  readonly route: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The answer, for the documentation. */
  readonly answer: z.ZodType;
  readonly run: (call: ControlCall<unknown, unknown>) => unknown;
}

/** Defines an operation whose query and body are checked before `run` gets them. */
export function controlRoute<Query = undefined, Body = undefined>(definition: {
  readonly route: string;
  readonly summary: string;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly answer: z.ZodType;
  readonly run: (call: ControlCall<Query, Body>) => unknown;
}): ControlRoute {
  const { query, body, run } = definition;
  return {
    ...definition,
    run: (call) =>
      run({
        ...call,
        query: query?.parse(call.query) as Query,
        body: body?.parse(call.body) as Body,
      }),
  };
}

/** An invalid request, with the HTTP status of the answer. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
