import type { BouncerTrace, PushTrace } from '@bellhop/protocol';

/** One side's times of an exchange, from the request to the answer, UNIX milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}
interface Clocks {
  readonly server: PushTrace | undefined;
  readonly bouncer: readonly BouncerTrace[];
  /** When the provider got requests, UNIX milliseconds. */
  readonly provider: readonly number[];
}

/** Smaller differences come from rounding and busy processes. */
const TOLERANCE_MS = 50;

/** A note for each clock that cannot be right: an answer is given after the question and before it arrives. */
export function clockNotes({ server, bouncer, provider }: Clocks): string[] {
  const asked = (server?.attempts ?? []).map(({ sent_ms, answered_ms }) =>
    span(sent_ms, answered_ms),
  );
  const stages = bouncer.flatMap(({ stages: all }) => all);
  const received = stages
    .filter(({ stage }) => stage === 'request')
    .map(({ began_ms, ended_ms }) => span(began_ms, ended_ms));
  const links = stages.flatMap(({ attempts }) =>
    attempts.map(({ started_ms, answered_ms }) => span(started_ms, answered_ms)),
  );
  return [
    ...noteOf('bouncer', "chat server's", asked, received),
    ...noteOf(
      'provider',
      "bouncer's",
      links,
      provider.map((at) => span(at, at)),
    ),
  ];
}

const span = (from: number, to: number): Span => ({ from, to });

function noteOf(
  who: string,
  whose: string,
  outer: readonly Span[],
  inner: readonly Span[],
): string[] {
  const fits = inner.every((one) => outer.some((other) => excess(other, one) === 0));
  const [first, second] = [outer[0], inner[0]];
  if (fits || !first || !second) return [];
  const ahead = Math.round((second.from + second.to - first.from - first.to) / 2);
  const side = ahead > 0 ? 'ahead of' : 'behind';
  return [`the clock of the ${who} is about ${Math.abs(ahead)} ms ${side} the ${whose}`];
}

/** Milliseconds by which `inner` is outside of `outer`. */
function excess(outer: Span, inner: Span): number {
  const out = Math.max(outer.from - inner.from, inner.to - outer.to);
  return out > TOLERANCE_MS ? out : 0;
}
