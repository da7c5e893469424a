import type { DeliveryAttempt } from '@bellhop/protocol';

import { ClockTime } from '../../controls/clock-time.tsx';
import { durationText } from '../../controls/duration-text.ts';

const stepNames = {
  dns: 'DNS lookup',
  connect: 'Connect',
  first_byte: 'First byte',
  total: 'Total',
};

const steps = ['dns', 'connect', 'first_byte', 'total'] as const;

/** How long each step of an attempt took: bars on one scale, each with its number. */
export function Timing({ attempt: { timing, started_ms } }: { attempt: DeliveryAttempt }) {
  return (
    <>
      <p>
        Started <ClockTime ms={started_ms} />
      </p>
      {timing === null ? (
        <p class="muted">Nothing was sent in this attempt.</p>
      ) : (
        <ol class="timing" role="list">
          {steps.map((step) => {
            const ms = timing[step];
            const share = ms === null ? 0 : (ms / Math.max(1, timing.total)) * 100;
            return (
              <li key={step}>
                <span>{stepNames[step]}</span>
                <span class="timing-bar" aria-hidden="true">
                  {ms !== null && <i style={{ width: `${Math.min(100, share)}%` }} />}
                </span>
                <span class={ms === null ? 'muted' : 'time-strong'}>
                  {ms === null ? 'not measured' : durationText(ms)}
                </span>
              </li>
            );
          })}
        </ol>
      )}
      {timing && steps.some((step) => timing[step] === null) && (
        <p class="muted">
          Steps without a time were not reached, or were skipped because a connection was already
          open.
        </p>
      )}
    </>
  );
}
