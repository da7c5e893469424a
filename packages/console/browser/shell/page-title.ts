import { effect, signal } from '@preact/signals';

const NAME = 'Bellhop';

/** What waits for the user: parts set it, and the title of the page shows the number. */
export const waiting = signal(0);

/** What failed lately on the page: the title begins with it. */
export const failures = signal(0);

effect(() => {
  const failed = failures.value > 0 ? `${failures.value} failed · ` : '';
  document.title = `${failed}${waiting.value > 0 ? `(${waiting.value}) ` : ''}${NAME}`;
});
