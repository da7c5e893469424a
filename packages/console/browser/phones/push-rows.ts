import type { PushTrace, SandboxArrival, TraceOutcome } from '@bellhop/protocol';

import type { IconName } from '../../src/icon-names.ts';
import { matcher, timeKeys } from '../list/matcher.ts';
import type { FilterKeys } from '../list/suggestions.ts';
import { typeNames } from './names.ts';
import { isSameDevice, type Target } from './target.ts';

const outcomeNames = {
  arrived: 'arrived',
  times: (count: number) => (count === 2 ? 'arrived twice' : `arrived ${count} times`),
  unreadable: 'rejected by phone',
  accepted: 'at provider',
  forgotten: 'accepted',
  queued: 'retrying',
  given_up: 'given up',
  dead: 'token expired',
  quarantined: 'quarantined',
  refused: 'rejected',
  configuration: 'no credentials',
  taken: 'at bouncer',
  unanswered: 'bouncer unreachable',
};

/** A push to a device: its trace at the server, and its arrivals. */
export interface PushRow {
  readonly cipher_id: string;
  /** UNIX milliseconds. */
  readonly at: number;
  readonly trace: PushTrace | undefined;
  readonly arrivals: readonly SandboxArrival[];
  /** The provider took it, and the phone no longer knows what it had received by then. */
  readonly isForgotten: boolean;
}

/** The pushes to a phone or device, newest first. */
export function rowsOf(target: Target, traces: readonly PushTrace[]): PushRow[] {
  const arrivals = Map.groupBy(target.phone?.inbox ?? [], ({ cipher_id }) => cipher_id ?? '');
  const ofTarget = traces.filter(
    (trace) => isSameDevice(trace, target) || arrivals.has(trace.cipher_id),
  );
  const known = new Map(ofTarget.map((trace) => [trace.cipher_id, trace]));
  const ids = [...new Set([...known.keys(), ...arrivals.keys()])].filter((id) => id !== '');
  return ids
    .map((cipher_id): PushRow => {
      const trace = known.get(cipher_id);
      const arrived = arrivals.get(cipher_id) ?? [];
      const at =
        trace?.event_ms ?? trace?.encrypted_ms ?? Date.parse(arrived[0]?.received_at ?? '');
      const isForgotten =
        target.phone !== undefined &&
        arrived.length === 0 &&
        trace?.outcome === 'accepted' &&
        trace.encrypted_ms <= target.phone.remembers_ms;
      return { cipher_id, at, trace, arrivals: arrived, isForgotten };
    })
    .toSorted((a, b) => b.at - a.at);
}

type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'wait';
interface Outcome {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: IconName;
  readonly status: 'arrived' | 'waiting' | 'failed' | 'unknown';
}
const failed = (word: string): Outcome => ({
  word,
  tone: 'bad',
  icon: 'circle-alert',
  status: 'failed',
});
const waiting = (word: string, tone: Tone): Outcome => ({
  word,
  tone,
  icon: 'clock',
  status: 'waiting',
});
const words = outcomeNames;
const outcomes: Readonly<Record<TraceOutcome, Outcome>> = {
  accepted: waiting(words.accepted, 'info'),
  taken: waiting(words.taken, 'info'),
  queued: waiting(words.queued, 'wait'),
  unanswered: waiting(words.unanswered, 'wait'),
  given_up: failed(words.given_up),
  dead: failed(words.dead),
  quarantined: failed(words.quarantined),
  refused: failed(words.refused),
  configuration: failed(words.configuration),
};

/** The outcome of a push, as far as it is known. */
export function outcomeOf({ trace, arrivals, isForgotten }: PushRow): Outcome {
  const [first] = arrivals;
  if (first?.refused !== undefined) return failed(words.unreadable);
  if (arrivals.length > 1)
    return {
      word: words.times(arrivals.length),
      tone: 'warn',
      icon: 'circle-alert',
      status: 'arrived',
    };
  if (first) return { word: words.arrived, tone: 'ok', icon: 'circle-check', status: 'arrived' };
  if (isForgotten)
    return { word: words.forgotten, tone: 'info', icon: 'circle-check', status: 'unknown' };
  return outcomes[trace?.outcome ?? 'taken'];
}

/** A summary of a push in one line. */
export function summaryOf({ trace, arrivals }: PushRow): string {
  const payload = arrivals[0]?.payload;
  if (payload?.type === 'message') return `${payload.sender_full_name}: ${payload.content}`;
  if (payload?.type === 'remove')
    return payload.message_ids.length === 1
      ? '1 message read'
      : `${payload.message_ids.length} messages read`;
  if (payload?.type === 'test' || trace?.type === 'test') return 'Test notification';
  if (trace?.type === 'message') return `Message ${trace.message_id ?? ''}`;
  return trace ? typeNames[trace.type] : (arrivals[0]?.refused ?? '');
}

/** The purpose of a push: `message`, `remove` or `test`. */
export const typeOf = ({ trace, arrivals }: PushRow): string | undefined =>
  trace?.type ?? arrivals[0]?.payload?.type;

export const filterKeys: FilterKeys = {
  status: ['arrived', 'waiting', 'failed', 'unknown'],
  type: ['message', 'remove', 'test'],
  ...timeKeys,
};

/** Whether a push matches the filter of the page. */
export const pushMatcher = (text: string, now: number): ((row: PushRow) => boolean) =>
  matcher(text, now, {
    keys: Object.keys(filterKeys),
    timeOf: ({ at }) => at,
    valueOf: (row, key) => (key === 'status' ? outcomeOf(row).status : typeOf(row)),
    textOf: (row) => `${summaryOf(row)} ${row.cipher_id} ${outcomeOf(row).word}`,
  });
