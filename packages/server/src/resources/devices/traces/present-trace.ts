import { MAX_PUSH_BYTES, type PushTrace, traceOutcomes } from '@bellhop/protocol';

import type { Presenter } from '../../../engine/stored-event.ts';
import type { TraceRow } from '../../../model/devices/traces/trace-rows.ts';

/** Whoever sent the test has the error. */
const UNANSWERED_TEST = 'The bouncer did not take it. A test is not sent again.';

/** A trace as the API shows it. */
export function traceOf(row: TraceRow): PushTrace {
  const { facts, attempts, trace_id, cipher_id, message_id } = row;
  const last = attempts.at(-1);
  if (!last) throw new Error(`the trace ${trace_id} has no attempt`);
  const reason = last.reason === null ? '' : ` Reason: ${last.reason}`;
  return {
    trace_id,
    cipher_id,
    push_account_id: row.push_account_id === null ? null : String(row.push_account_id),
    device_id: row.device_id,
    message_id,
    push_key_id: null,
    ...facts,
    max_plaintext_bytes: MAX_PUSH_BYTES,
    attempts,
    outcome: last.outcome,
    explanation: `${facts.type === 'test' && last.outcome === 'unanswered' ? UNANSWERED_TEST : traceOutcomes[last.outcome]}${reason}`,
  };
}

/** Presents the event to clients with the capability. */
export const presentPushTrace: Presenter = ({ payload }, { registration }) =>
  registration.capabilities.console_events ? [payload] : [];
