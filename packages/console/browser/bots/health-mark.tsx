import { Pill } from '../controls/pill.tsx';
import type { Health } from './bot-health.ts';

const healthNames = {
  working: 'working',
  failing: 'failing',
  disabled: 'disabled',
  unknown: 'not called yet',
  none: 'no webhook',
};

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
    {healthNames[health]}
  </Pill>
);
