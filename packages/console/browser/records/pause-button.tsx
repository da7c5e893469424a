import type { ReadonlySignal, Signal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { now } from '../controls/now.ts';
import { useKeys } from '../navigation/keys.ts';

interface PauseButtonProps {
  readonly isPaused: Signal<boolean>;
  /** UNIX milliseconds of the last event. */
  readonly lastEventAt: ReadonlySignal<number>;
}

/**
 * Pauses a live list, as the Space key does. While the list is paused, the button says so, and how
 * old the last event is.
 */
export function PauseButton({ isPaused, lastEventAt }: PauseButtonProps) {
  const toggle = () => (isPaused.value = !isPaused.peek());
  useKeys('Pause', [{ keys: 'Space', label: 'Pause or resume', run: toggle }]);
  return (
    <Button
      icon={isPaused.value ? 'play' : 'pause'}
      aria-pressed={isPaused.value}
      title={isPaused.value ? 'Resume' : 'Pause'}
      onClick={toggle}
    >
      {isPaused.value ? <PausedFor at={lastEventAt} /> : 'Pause'}
    </Button>
  );
}

/** A component of its own, because every event renders it. */
const PausedFor = ({ at }: { at: ReadonlySignal<number> }) => (
  <>Paused, last event {ageOf(now.value - at.value)} ago</>
);

/** An age in the largest fitting unit: `12 s`, `5 min`, `2 h`. */
function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
