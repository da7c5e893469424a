import { hopLines, hops, type JoinedTrace } from '@bellhop/protocol';

import { ClockTime } from '../controls/clock-time.tsx';
import { strings } from './strings.ts';

/** The actions of every hop, ordered by time; then the hops without a trace, with the reason. */
export function HopList({ trace, asOf }: { trace: JoinedTrace; asOf: number }) {
  const lines = hopLines(trace).filter(({ ms }) => ms <= asOf);
  const silent: Partial<Record<string, string>> = trace.silent;
  return (
    <>
      <ol class="hop-list" role="list" aria-label={strings.tabs.hops}>
        {lines.map(({ ms, hop, text }, at) => (
          <li key={at} class={`hop-line ${hop}`}>
            <ClockTime ms={ms} />
            <b>{strings.hops[hop]}</b>
            <span>{text}</span>
          </li>
        ))}
        {hops.map(
          (hop) =>
            silent[hop] !== undefined && (
              <li key={hop} class="hop-line silent">
                <span class="time mono">-</span>
                <b>{strings.hops[hop]}</b>
                <span class="muted">{silent[hop]}</span>
              </li>
            ),
        )}
      </ol>
      {trace.notes.map((note) => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
    </>
  );
}
