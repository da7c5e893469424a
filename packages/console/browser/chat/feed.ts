import type { Api, AskOf, FetchedMessage, QueuedEvent } from '@bellhop/protocol';
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import type { LiveAccount } from '../live/live-account.ts';
import { pagedFeed } from '../loading/paged-feed.ts';
import { appliedToMessages, belongsTo, isInPlace, placeOfMove } from './feed-events.ts';
import { narrowOf } from './narrow-of.ts';
import type { View } from './view.ts';

const PAGE = 100;

/**
 * The messages of a view that have been fetched, oldest first, and whether older or newer ones
 * remain.
 */
export interface Feed {
  readonly messages: ReadonlySignal<readonly FetchedMessage[]>;
  readonly isComplete: ReadonlySignal<{ readonly oldest: boolean; readonly newest: boolean }>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  /** The first unread message when the view was opened. */
  readonly firstUnread: ReadonlySignal<number | undefined>;
  /** Where all messages of the topic went that were on the page: it was moved or resolved. */
  readonly movedTo: ReadonlySignal<View | undefined>;
  /**
   * Resolves when the messages are there; at once if there are none or others are being fetched.
   */
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly retry: () => void;
  /** Changes the messages as an event would. */
  readonly apply: (event: QueuedEvent) => void;
  /** Fetches the messages again. */
  readonly refresh: () => void;
  /** Fetches the newest messages unless they are there. */
  readonly showNewest: () => void;
  readonly stop: () => void;
}

type Counts = { readonly num_before: number; readonly num_after: number };
type Place = Pick<
  AskOf<Api['messages']['fetch']>,
  'anchor' | 'num_before' | 'num_after' | 'include_anchor'
>;
const around = (anchor: number | string): Place => ({
  anchor: anchor as never,
  num_before: PAGE,
  num_after: PAGE,
});

/** Opens the messages of a view around one of them, or at the first unread or newest one. */
export function openFeed(account: LiveAccount, view: View, near: number | undefined): Feed {
  const narrow = narrowOf(view);
  const firstUnread = signal<number | undefined>(undefined);
  const movedTo = signal<View | undefined>(undefined);
  const feed = pagedFeed<FetchedMessage, Place, QueuedEvent>({
    fetch: async (place, signal) => {
      const { messages, found_oldest, found_newest } = await account.client.messages.fetch(
        { ...place, narrow, allow_empty_topic_name: true },
        { signal, retryPolicy: { retries: 3 } },
      );
      const beside = (message: FetchedMessage | undefined, counts: Counts): Place | null =>
        message ? { anchor: message.id, include_anchor: false, ...counts } : null;
      return {
        rows: messages,
        before: found_oldest ? null : beside(messages[0], { num_before: PAGE, num_after: 0 }),
        after: found_newest ? null : beside(messages.at(-1), { num_before: 0, num_after: PAGE }),
      };
    },
    apply: (messages, event, { after }) => {
      if (event.type !== 'message') {
        const changed = appliedToMessages(messages, event);
        return placeOfMove(event)
          ? changed.filter((one) => isInPlace(view, one) !== false)
          : changed;
      }
      // While newer messages remain, it comes with their page.
      const isThere = after !== null || messages.some(({ id }) => id === event.message.id);
      return isThere ? messages : [...messages, { ...event.message, flags: event.flags }];
    },
  });
  const start = async (anchor: number | string = near ?? 'first_unread') => {
    await feed.open(around(anchor));
    firstUnread.value = feed.rows.peek().find(({ flags }) => !flags.includes('read'))?.id;
  };
  const stopEvents = account.onEvent((event) => {
    if (event.type === 'message')
      void belongsTo(view, event.message, account).then((belongs) => {
        if (belongs) feed.change(event);
      });
    else {
      const before = feed.rows.peek();
      feed.change(event);
      followMove(event, before);
    }
    // A collection changes with the flag that it collects.
    if (
      view.kind === 'starred' &&
      event.type === 'update_message_flags' &&
      event.flag === 'starred'
    )
      void start();
  });
  /** Follows a topic that left as a whole, and fetches messages that came to the view. */
  const followMove = (event: QueuedEvent, before: readonly FetchedMessage[]) => {
    const place = placeOfMove(event);
    if (!place || event.type !== 'update_message') return;
    const { stream_id, subject } = place;
    if (isInPlace(view, place)) {
      const known = new Set<number>(before.map(({ id }) => id));
      if (event.message_ids.some((id) => !known.has(id))) void start();
    } else if (view.kind === 'topic' && stream_id !== undefined && before.length > 0)
      if (feed.rows.peek().length === 0)
        movedTo.value = { kind: 'topic', channel: stream_id, topic: subject };
  };
  // The signal calls back at once for the first time.
  const stopResync = account.generation.subscribe(() => void start());
  return {
    messages: feed.rows,
    isComplete: computed(() => ({
      oldest: feed.ends.value?.before === null,
      newest: feed.ends.value?.after === null,
    })),
    isLoading: feed.isLoading,
    error: feed.error,
    firstUnread,
    movedTo,
    loadOlder: feed.loadBefore,
    loadNewer: feed.loadAfter,
    retry: feed.retry,
    apply: feed.change,
    refresh: () => void start(),
    showNewest: () => {
      if (feed.ends.peek()?.after !== null && !feed.isLoading.peek()) void start('newest');
    },
    stop: () => {
      feed.stop();
      stopEvents();
      stopResync();
    },
  };
}
