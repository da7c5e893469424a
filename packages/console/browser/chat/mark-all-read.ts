import type { LiveAccount } from '../live/live-account.ts';
import { narrowOf } from './narrow-of.ts';
import type { View } from './view.ts';

/** The number of messages that one call changes. */
const STEP = 5000;

/** Marks the messages of a view as read, in as many calls as it takes. */
export async function markAllRead({ client }: LiveAccount, view: View): Promise<void> {
  const unread = { operator: 'is', operand: 'unread', negated: false };
  const narrow = [...narrowOf(view), unread];
  let anchor: number | 'oldest' = 'oldest';
  for (;;) {
    const { found_newest, last_processed_id } = await client.messages.setFlagInNarrow({
      anchor,
      num_before: 0,
      num_after: STEP,
      narrow,
      op: 'add',
      flag: 'read',
    });
    if (found_newest || last_processed_id === null) return;
    anchor = last_processed_id;
  }
}
