import { type PushStage } from '@bellhop/protocol';
import type { Hop, JoinedTrace } from '@bellhop/push-trace';

const words = {
  wait: 'waiting',
  encrypt: 'encrypted',
  send: 'sending',
  request: 'first attempt',
  retry: 'retry from queue',
  repetition: 'repeated request',
  queue: 'queued',
  attempt: (number: number, status: string) => `${number}: ${status}`,
  open: 'opened',
  refused: 'rejected',
  noAnswer: 'no response',
};

/** A span of work of one hop, UNIX milliseconds by its own clock. */
export interface HopSpan {
  readonly hop: Hop;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tone: 'work' | 'wait' | 'ok' | 'bad';
}

/** The spans of a push, by time. */
export const hopSpans = (trace: JoinedTrace): HopSpan[] =>
  [...serverSpans(trace), ...bouncerSpans(trace), ...endSpans(trace)].toSorted(
    (a, b) => a.from - b.from,
  );

function serverSpans({ server }: JoinedTrace): HopSpan[] {
  if (!server) return [];
  const hop = 'server';
  const { event_ms, job_ms, encrypted_ms, attempts } = server;
  const begin = job_ms ?? encrypted_ms;
  return [
    ...(event_ms === null || event_ms >= begin
      ? []
      : [{ hop, from: event_ms, to: begin, label: words.wait, tone: 'wait' } as const]),
    { hop, from: begin, to: encrypted_ms, label: words.encrypt, tone: 'work' },
    ...attempts.map(({ sent_ms, answered_ms, outcome }, at) => ({
      hop: 'server' as const,
      from: sent_ms,
      to: answered_ms,
      label: attempts.length > 1 ? words.attempt(at + 1, words.send) : words.send,
      tone: outcome === 'unanswered' ? ('bad' as const) : ('work' as const),
    })),
  ];
}

const bouncerSpans = ({ bouncer }: JoinedTrace): HopSpan[] =>
  bouncer.flatMap(({ stages }) =>
    stages.flatMap((stage, at): HopSpan[] => [
      {
        hop: 'bouncer',
        from: stage.began_ms,
        to: stage.ended_ms,
        label: words[stage.stage],
        tone: 'work',
      },
      ...waitOf(stage, stages[at + 1]),
      ...stage.attempts.map(({ number, started_ms, answered_ms, status }): HopSpan => ({
        hop: 'link',
        from: started_ms,
        to: answered_ms,
        label: words.attempt(number, String(status ?? words.noAnswer)),
        tone: status !== null && status < 300 ? 'ok' : 'bad',
      })),
    ]),
  );

/** How long a push is in the queue after a stage. */
function waitOf({ ended_ms, retry_at }: PushStage, next: PushStage | undefined): HopSpan[] {
  const to = next?.began_ms ?? (retry_at === null ? undefined : retry_at * 1000);
  if (to === undefined || to <= ended_ms) return [];
  return [{ hop: 'bouncer', from: ended_ms, to, label: words.queue, tone: 'wait' }];
}

const endSpans = ({ attempts, arrivals }: JoinedTrace): HopSpan[] => [
  ...attempts.map(({ at, status, outcome }): HopSpan => {
    const ms = Date.parse(at);
    const tone = status !== null && status < 300 ? 'ok' : 'bad';
    return { hop: 'provider', from: ms, to: ms, label: outcome, tone };
  }),
  ...arrivals.map(({ received_at, refused }): HopSpan => {
    const ms = Date.parse(received_at);
    const [label, tone] =
      refused === undefined ? ([words.open, 'ok'] as const) : ([words.refused, 'bad'] as const);
    return { hop: 'phone', from: ms, to: ms, label, tone };
  }),
];

/** The time in which the content is sealed, UNIX milliseconds; undefined: no service reports it. */
export interface SealedSpan {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export function sealedSpan({ server, attempts, arrivals }: JoinedTrace): SealedSpan {
  const opened = arrivals[0]?.received_at;
  const first = opened ?? attempts[0]?.at;
  return {
    from: server?.encrypted_ms ?? (first === undefined ? undefined : Date.parse(first)),
    to: opened === undefined ? undefined : Date.parse(opened),
  };
}
