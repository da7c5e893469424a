import { type Hop, hops } from '@bellhop/push-trace';

import { durationText } from '../controls/duration-text.ts';
import type { HopSpan, SealedSpan } from './hop-spans.ts';
import { hopNames } from './names.ts';

const visibility = {
  server: 'sees the text',
  bouncer: 'sees the token',
  link: 'sees the token',
  provider: 'sees the token',
  phone: 'sees both',
};

interface HopLanesProps {
  readonly spans: readonly HopSpan[];
  readonly sealed: SealedSpan;
  /** The reasons why hops have no spans. */
  readonly silent?: Partial<Readonly<Record<Hop, string>>>;
  /** Shows only what happened by then, UNIX milliseconds. Default: all. */
  readonly asOf?: number;
}

/**
 * A lane per hop with a bar per span, waits dotted, and a band where the content is sealed. The
 * list below has the same facts, so screen readers leave this out.
 */
export function HopLanes({ spans, sealed, silent = {}, asOf = Infinity }: HopLanesProps) {
  const start = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(...spans.map(({ to }) => to), start + 1);
  const at = (ms: number) => `${(100 * (ms - start)) / (end - start)}%`;
  const seen = spans.filter(({ from }) => from <= asOf);
  const { from: sealedAt = start, to: openedAt = end } = sealed;
  return (
    <div class="lanes" aria-hidden="true">
      <span />
      <span class="lane-scale muted">
        <span>0</span>
        <span>{durationText(end - start)}</span>
      </span>
      <span class="muted lane-sees">visibility</span>
      {hops.map((hop) => {
        const own = seen.filter((span) => span.hop === hop);
        const why = own.length === 0 ? (silent[hop] ?? 'no data') : undefined;
        return [
          <span key={`${hop} name`} class="lane-name">
            {hopNames[hop]}
          </span>,
          <span key={hop} class={why === undefined ? 'lane' : 'lane silent'} title={why}>
            {own.map((span) => (
              <Bar key={`${span.from} ${span.label}`} span={span} asOf={asOf} at={at} />
            ))}
          </span>,
          <span key={`${hop} sees`} class="muted lane-sees">
            {visibility[hop]}
          </span>,
        ];
      })}
      <span class="lane-name" />
      <span class="lane-band">
        <span class="band-plain" style={{ width: at(sealedAt) }} />
        <span
          class="band-sealed"
          style={{ left: at(sealedAt), width: widthOf(sealedAt, openedAt, at) }}
        >
          encrypted
        </span>
        <span class="band-plain" style={{ left: at(openedAt), right: '0' }} />
      </span>
      <span class="muted lane-sees">plaintext | encrypted</span>
    </div>
  );
}

type At = (ms: number) => string;
const widthOf = (from: number, to: number, at: At) => `calc(${at(to)} - ${at(from)})`;

function Bar({ span, asOf, at }: { span: HopSpan; asOf: number; at: At }) {
  const { from, to, label, tone } = span;
  const until = Math.min(to, asOf);
  const length = to === from ? '' : `, ${durationText(to - from)}`;
  return (
    <span
      class={`span ${tone}`}
      style={{ left: at(from), width: widthOf(from, until, at) }}
      title={`${label}${length}`}
    >
      <span class="span-label">{label}</span>
    </span>
  );
}
