import { effect, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

import failedIcon from '../icon-failed.svg';
import waitingIcon from '../icon-waiting.svg';
import icon from '../icon.svg';

const NAME = 'Bellhop';

/** The name of the part, and that of the organization; undefined before they are known. */
export const shownPart = signal<string | undefined>(undefined);
export const shownRealm = signal<string | undefined>(undefined);

/** The names of what the part shows: the last one is in the title. */
const shown = signal<readonly { readonly name: string }[]>([]);

/** Begins the title of the page with the name of what is shown, as long as the component is there. */
export function usePageName(name: string | undefined): void {
  useLayoutEffect(() => {
    if (name === undefined) return undefined;
    const entry = { name };
    shown.value = [...shown.peek(), entry];
    return () => (shown.value = shown.peek().filter((one) => one !== entry));
  }, [name]);
}

/** The number of unread messages, in the title of the page. */
export const waiting = signal(0);

/** The number of recent failures on the page: the title begins with it, the icon has a red dot. */
export const failures = signal(0);

effect(() => {
  const failed = failures.value > 0 ? `${failures.value} failed · ` : '';
  const count = waiting.value > 0 ? `(${waiting.value}) ` : '';
  const name = shown.value.at(-1)?.name ?? shownPart.value;
  const place = [name, shownRealm.value ?? NAME].filter((one) => one !== undefined);
  document.title = `${failed}${count}${place.join(' · ')}`;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = failures.value > 0 ? failedIcon : waiting.value > 0 ? waitingIcon : icon;
});
