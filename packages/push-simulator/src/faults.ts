import { z } from 'zod';

import type { Journal } from './journal.ts';

const NamedFault = z.enum([
  'goaway',
  'goaway_after_answer',
  'refuse_stream',
  'reset',
  'disconnect',
  'silent',
  'freeze',
  'lost_answer',
  'slow',
  'html_401',
]);

const GoAwayFault = z.strictObject({ goaway_reason: z.string() });

const SlowFault = z.strictObject({ slow_ms: z.int().min(0).max(600_000) });

const AnswerFault = z.strictObject({
  status: z.int().min(400).max(599),
  reason: z.string().min(1),
  /** Seconds, or an HTTP date as text. */
  retry_after: z.union([z.int().min(0), z.string()]).optional(),
  /** Milliseconds, as in Apple's 410 answers. */
  timestamp: z.int().optional(),
});

/**
 * The kinds of faults.
 * - `goaway`: GOAWAY that rejects this request. `goaway_after_answer`: GOAWAY after the answer.
 * - `{ goaway_reason }`: as `goaway`, and the frame has Apple's JSON with the reason.
 * - `refuse_stream`: RST_STREAM, REFUSED_STREAM. `reset`: RST_STREAM, INTERNAL_ERROR.
 * - `disconnect`: the connection drops. `silent`: no answer, but pings are answered.
 * - `freeze`: the simulator stops reading from the connection and answers no pings.
 * - `lost_answer`: the notification is delivered, the stream is reset instead of answered.
 * - `slow` (one second) or `{ slow_ms }`: the answer is late. `html_401`: 401 with an HTML page.
 * - `{ status, reason, retry_after?, timestamp? }`: this answer, in the provider's own form.
 */
export const Fault = z.union([NamedFault, SlowFault, GoAwayFault, AnswerFault]);
export type Fault = z.infer<typeof Fault>;
export type AnswerFault = z.infer<typeof AnswerFault>;

export const FaultRule = z.strictObject({
  provider: z.enum(['apns', 'fcm', 'oauth']),
  /** The requests it applies to; all requests to the provider by default. */
  match: z.strictObject({ token: z.string().optional() }).optional(),
  /** The number of requests it applies to; without a limit by default. */
  times: z.int().min(1).optional(),
  fault: Fault,
});
export type FaultRule = z.infer<typeof FaultRule>;
export type FaultProvider = FaultRule['provider'];

/** The faults that are switched on. */
export class FaultBoard {
  readonly #rules = new Map<number, FaultRule>();
  readonly #journal: Journal;
  #lastId = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Switches a fault on; returns its id. If several match a request, the oldest applies. */
  add(rule: FaultRule): number {
    const faultId = ++this.#lastId;
    this.#rules.set(faultId, FaultRule.parse(rule));
    this.#journal.report({ type: 'fault', op: 'add', fault_id: faultId });
    return faultId;
  }

  list(): (FaultRule & { fault_id: number })[] {
    return Array.from(this.#rules, ([faultId, rule]) => ({ fault_id: faultId, ...rule }));
  }

  /** Switches one fault off, or all. Returns whether there was one. */
  clear(faultId?: number): boolean {
    const ids = faultId === undefined ? [...this.#rules.keys()] : [faultId];
    const cleared = ids.filter((id) => this.#rules.delete(id));
    for (const id of cleared) this.#journal.report({ type: 'fault', op: 'clear', fault_id: id });
    return cleared.length > 0;
  }

  /** The fault that applies to a request. Counts the request for `times`. */
  take(provider: FaultProvider, token: string | null): Fault | undefined {
    for (const [faultId, rule] of this.#rules) {
      if (rule.provider !== provider) continue;
      if (rule.match?.token !== undefined && rule.match.token !== token) continue;
      if (rule.times === 1) {
        this.#rules.delete(faultId);
        this.#journal.report({ type: 'fault', op: 'spent', fault_id: faultId });
      } else if (rule.times !== undefined) {
        this.#rules.set(faultId, { ...rule, times: rule.times - 1 });
      }
      return rule.fault;
    }
    return undefined;
  }
}
