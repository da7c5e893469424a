import { effect, signal } from '@preact/signals';

const NAME = 'Bellhop';

/** What waits for the user: parts set it, and the title of the page shows the number. */
export const waiting = signal(0);

effect(() => {
  document.title = waiting.value > 0 ? `(${waiting.value}) ${NAME}` : NAME;
});
