import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import type { Feed } from './feed.ts';

/** Counts the messages that came below those that were in sight. */
export function useNewBelow(feed: Feed) {
  const messages = feed.messages.value;
  const { newest } = feed.isComplete.value;
  const seen = useSignal(0);
  const fetched = useRef(0);
  const wasNewest = useRef(false);
  // Fetched messages are not new.
  if (!wasNewest.current) fetched.current = messages.at(-1)?.id ?? 0;
  wasNewest.current = newest;
  const last = Math.max(seen.value, fetched.current);
  return {
    count: messages.filter(({ id }) => id > last).length,
    /** Call with the last ID in sight. */
    seen: (id: number) => {
      if (id > seen.peek()) seen.value = id;
    },
  };
}

interface NewBelowProps {
  readonly count: number;
  readonly onPress: () => void;
}

/** Leads to the messages that came while the newest one was not in sight. */
export const NewBelow = ({ count, onPress }: NewBelowProps) => (
  <div class="new-below" role="status">
    {count > 0 && (
      <Button kind="primary" icon="arrow-down" onClick={onPress}>
        {count} new
      </Button>
    )}
  </div>
);
