import { effect, signal } from '@preact/signals';

import failedIcon from '../icon-failed.svg';
import waitingIcon from '../icon-waiting.svg';
import icon from '../icon.svg';

const NAME = 'Bellhop';

/** The number of unread messages, in the title of the page. */
export const waiting = signal(0);

/** The number of recent failures on the page: the title begins with it, the icon has a red dot. */
export const failures = signal(0);

effect(() => {
  const failed = failures.value > 0 ? `${failures.value} failed · ` : '';
  document.title = `${failed}${waiting.value > 0 ? `(${waiting.value}) ` : ''}${NAME}`;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = failures.value > 0 ? failedIcon : waiting.value > 0 ? waitingIcon : icon;
});
