import type { ResultOf, Api } from '@bellhop/protocol';

import { durationText } from '../controls/duration-text.ts';
import { Pill } from '../controls/pill.tsx';

const stepNames = {
  dns: 'DNS lookup',
  guard: 'Address',
  connect: 'Connection',
  tls: 'TLS',
  http: 'HTTP',
};

const outcomeNames = { ok: 'ok', failed: 'failed', skipped: 'skipped' };

export type Step = ResultOf<Api['botDeliveries']['check']>['steps'][number];

const tones = { ok: 'ok', failed: 'bad', skipped: undefined } as const;
const icons = { ok: 'circle-check', failed: 'circle-alert', skipped: 'circle-dot' } as const;

/** The result of a check of an endpoint, step by step. */
export const CheckSteps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="check-steps" role="list" aria-label="Check steps" aria-live="polite">
    {steps.map(({ name, outcome, ms, detail }) => (
      <li key={name}>
        <Pill tone={tones[outcome]} icon={icons[outcome]}>
          {outcomeNames[outcome]}
        </Pill>
        <strong>{stepNames[name]}</strong>
        <span class="grow">{detail}</span>
        <span class="time">{ms === null ? '' : durationText(ms)}</span>
      </li>
    ))}
  </ol>
);
