import { effect, signal } from '@preact/signals';

const NAME = 'Bellhop';

/** The number of items that wait for the user. Parts set it, and the title of the page shows it. */
export const waiting = signal(0);

/** The number of recent failures on the page: the title begins with it. */
export const failures = signal(0);

effect(() => {
  const failed = failures.value > 0 ? `${failures.value} failed · ` : '';
  document.title = `${failed}${waiting.value > 0 ? `(${waiting.value}) ` : ''}${NAME}`;
});
