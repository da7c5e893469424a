import type { FetchedMessage } from '@bellhop/protocol';

import type { Feed } from './feed.ts';

/** How many pages are fetched in search of another day. */
const MAX_PAGES = 10;

const dayOf = ({ timestamp }: FetchedMessage) => new Date(timestamp * 1000).toDateString();

/** The first message of each day. The first message of all may have others of its day before it. */
const daysOf = (messages: readonly FetchedMessage[]) =>
  messages.filter((message, at) => {
    const before = messages[at - 1];
    return !before || dayOf(before) !== dayOf(message);
  });

/**
 * The message that begins the day after a message (1), or its own day, or the day before if it begins
 * that (-1). At an end the first or the last message.
 */
export async function dayStep(
  feed: Feed,
  from: number,
  by: 1 | -1,
): Promise<FetchedMessage | undefined> {
  for (let page = 0; ; page++) {
    const messages = feed.messages.peek();
    const { oldest, newest } = feed.isComplete.peek();
    const days = daysOf(messages);
    const isLast = page === MAX_PAGES;
    if (by === 1) {
      const next = days.find(({ id }) => id > from);
      if (next || newest || isLast) return next ?? messages.at(-1);
      await feed.loadNewer();
    } else {
      const known = oldest || isLast ? days : days.slice(1);
      const before = known.findLast(({ id }) => id < from);
      if (before || oldest || isLast) return before ?? messages[0];
      await feed.loadOlder();
    }
  }
}
