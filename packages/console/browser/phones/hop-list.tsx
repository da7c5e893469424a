import { hopLines, hops, type JoinedTrace } from '@bellhop/push-trace';

import { ClockTime, clockText } from '../controls/clock-time.tsx';
import { hopNames } from './names.ts';

const UTC_TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** The actions of every hop, ordered by time; then the hops without a trace, with the reason. */
export function HopList({ trace, asOf }: { trace: JoinedTrace; asOf: number }) {
  const lines = hopLines(trace).filter(({ ms }) => ms <= asOf);
  const silent: Partial<Record<string, string>> = trace.silent;
  return (
    <>
      <ol class="hop-list" role="list" aria-label="Hops">
        {lines.map(({ ms, hop, text }, at) => (
          <li key={at} class={`hop-line ${hop}`}>
            <ClockTime ms={ms} />
            <b>{hopNames[hop]}</b>
            <span>{text.replaceAll(UTC_TIME, (time) => clockText(Date.parse(time)))}</span>
          </li>
        ))}
        {hops.map(
          (hop) =>
            silent[hop] !== undefined && (
              <li key={hop} class="hop-line silent">
                <span class="time">-</span>
                <b>{hopNames[hop]}</b>
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
