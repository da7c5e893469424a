import { z } from 'zod';

import type { Journal } from './journal.ts';

/** The faults without details, each with its explanation. */
export const namedFaults = {
  goaway: 'GOAWAY that rejects the request unprocessed; with a reason: as JSON in the frame',
  goaway_after_answer: 'GOAWAY after the answer; the connection takes no more requests',
  refuse_stream: 'RST_STREAM with REFUSED_STREAM: the request was not processed',
  reset: 'RST_STREAM with INTERNAL_ERROR instead of an answer',
  disconnect: 'The connection drops without an answer',
  silent: 'No answer, but pings are answered',
  freeze: 'The simulator stops reading from the connection and answers no pings',
  lost_answer: 'The notification is delivered, then the stream is reset instead of answered',
  slow: 'The answer is late: by one second, or by the given milliseconds',
  html_401: 'HTTP status 401 with an HTML page instead of JSON',
} as const;
const NamedFault = z.enum(Object.keys(namedFaults) as (keyof typeof namedFaults)[]);

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
 * A fault: a name of `namedFaults`, `{ goaway_reason }`, `{ slow_ms }`, or an answer in the provider's
 * own form: `{ status, reason, retry_after?, timestamp? }`.
 */
export const Fault = z.union([NamedFault, SlowFault, GoAwayFault, AnswerFault], {
  error: () =>
    `expected one of ${Object.keys(namedFaults).join(', ')}, or { "slow_ms": 0-600000 }, ` +
    '{ "goaway_reason": text }, { "status": 400-599, "reason": text, "retry_after"?, "timestamp"? }',
});
export type Fault = z.infer<typeof Fault>;
export type AnswerFault = z.infer<typeof AnswerFault>;

export const FaultRule = z.strictObject({
  provider: z.enum(['apns', 'fcm', 'oauth', 'webpush']),
  /** The requests it applies to; all requests to the provider by default. */
  match: z.strictObject({ token: z.string().optional() }).optional(),
  /** The number of requests it applies to; without a limit by default. */
  times: z.int().min(1).optional(),
  /** The share of these requests that it strikes, at random; all by default. */
  probability: z.number().gt(0).max(1).optional(),
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
      if (rule.probability !== undefined && Math.random() >= rule.probability) continue;
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
