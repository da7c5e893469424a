import { Pill } from '../controls/pill.tsx';
import type { Health } from './bot-health.ts';
import { strings } from './strings.ts';

const tones = { working: 'ok', failing: 'warn', disabled: 'bad', unknown: undefined } as const;
const icons = {
  working: 'circle-check',
  failing: 'circle-alert',
  disabled: 'circle-alert',
  unknown: 'circle-dot',
} as const;

/** Whether the webhook of a bot works. */
export const HealthMark = ({ health }: { health: Health }) => (
  <Pill tone={tones[health]} icon={icons[health]}>
    {strings.health[health]}
  </Pill>
);
