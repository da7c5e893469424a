import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { LiveAccount } from '../../live/live-account.ts';
import { type Destination, placeOf, viewOfDestination } from './destination.ts';

interface Insertion {
  readonly user_id: number;
  readonly place: string;
  readonly text: string;
}

/** A text that waits for the message box of its conversation. */
const waiting = signal<Insertion | undefined>(undefined);

const keyOf = (to: Destination) => placeOf(viewOfDestination(to));

/** Puts a text into the message box of a conversation as soon as it is on the page. */
export function insertInto({ user_id }: LiveAccount, to: Destination, text: string): void {
  waiting.value = { user_id, place: keyOf(to), text };
}

/** Calls back with a text that waits for this message box. */
export function useInsertion(
  { user_id }: LiveAccount,
  to: Destination,
  insert: (text: string) => void,
): void {
  const one = waiting.value;
  const place = keyOf(to);
  useEffect(() => {
    if (one?.user_id !== user_id || one.place !== place) return;
    waiting.value = undefined;
    insert(one.text);
  }, [one, place]);
}
