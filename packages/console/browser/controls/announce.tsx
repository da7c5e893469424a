import { signal } from '@preact/signals';

const said = signal('');

/** Lets a screen reader read a change that is otherwise only visible. */
export function announce(text: string): void {
  // A repeated text is read again.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

export const LiveRegion = () => (
  <div class="visually-hidden" role="status" aria-live="polite">
    {said}
  </div>
);
