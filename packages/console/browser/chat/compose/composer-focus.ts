import { go, path } from '../../navigation/location.ts';
import { hrefOf } from '../href-of.ts';
import type { View } from '../view.ts';

/** Whether the field takes the focus when it appears. */
let isWanted = false;

const focus = (selector: string): boolean => {
  const field = document.querySelector<HTMLElement>(selector);
  field?.focus();
  return field !== null;
};

/** Gives the focus to the field of the conversation that is shown next. */
export function wantComposer(): void {
  isWanted = true;
}

/** Gives the focus to the field of a message; to that of the next conversation if this one has none. */
export function focusComposer(): void {
  isWanted = !focus('[data-composer]');
}

/** Gives the focus to the field of the topic. */
export const focusTopic = (): boolean => focus('[data-topic]');

/** Whether a field that has appeared takes the focus: the user asked for it before it was there. */
export function takesFocus(): boolean {
  const wanted = isWanted;
  isWanted = false;
  return wanted;
}

/** Goes to a conversation to write there. */
export function writeTo(view: View): void {
  const before = path.peek();
  go(hrefOf(view));
  if (path.peek() === before) focusComposer();
  else wantComposer();
}
