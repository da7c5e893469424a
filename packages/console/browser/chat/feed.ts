import type { FetchedMessage, QueuedEvent } from '@bellhop/protocol';
import { type Signal, signal } from '@preact/signals';

import type { LiveAccount } from '../live/live-account.ts';
import { appliedToMessages, belongsTo } from './feed-events.ts';
import { narrowOf } from './narrow-of.ts';
import type { View } from './view.ts';

const PAGE = 100;

/**
 * The messages of a view that have been fetched, oldest first, and whether older or newer ones
 * remain.
 */
export interface Feed {
  readonly messages: Signal<readonly FetchedMessage[]>;
  readonly isComplete: Signal<{ readonly oldest: boolean; readonly newest: boolean }>;
  readonly isLoading: Signal<boolean>;
  readonly error: Signal<unknown>;
  /** The first unread message when the view was opened. */
  readonly firstUnread: Signal<number | undefined>;
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

/** Opens the messages of a view around one of them, or at the first unread or newest one. */
export function openFeed(account: LiveAccount, view: View, near: number | undefined): Feed {
  const messages = signal<readonly FetchedMessage[]>([]);
  const isComplete = signal({ oldest: false, newest: false });
  const isLoading = signal(true);
  const error = signal<unknown>(undefined);
  const firstUnread = signal<number | undefined>(undefined);
  const stopping = new AbortController();
  const narrow = narrowOf(view);
  let failed = () => {};
  /** Arrived during a fetch, whose answer may be from before them. */
  const early: QueuedEvent[] = [];

  const fetchPage = async (
    params: { anchor: number | string; num_before: number; num_after: number },
    merge: (page: readonly FetchedMessage[]) => readonly FetchedMessage[],
  ) => {
    isLoading.value = true;
    error.value = undefined;
    failed = () => void fetchPage(params, merge);
    try {
      const answer = await account.client.messages.fetch(
        { ...params, anchor: params.anchor as never, narrow, allow_empty_topic_name: true },
        { signal: stopping.signal, retryPolicy: { retries: 3 } },
      );
      messages.value = merge(answer.messages);
      const { oldest, newest } = isComplete.peek();
      isComplete.value = {
        oldest: answer.found_oldest || (params.num_before === 0 && oldest),
        newest: answer.found_newest || (params.num_after === 0 && newest),
      };
    } catch (problem) {
      if (!stopping.signal.aborted) error.value = problem;
    } finally {
      isLoading.value = false;
      for (const event of early.splice(0)) take(event);
    }
  };
  const start = async (anchor: number | string = near ?? 'first_unread') => {
    isComplete.value = { oldest: false, newest: false };
    await fetchPage({ anchor, num_before: PAGE, num_after: PAGE }, (page) => page);
    firstUnread.value = messages.peek().find(({ flags }) => !flags.includes('read'))?.id;
  };
  const take = (event: QueuedEvent) => {
    const known = messages.peek();
    const changed = appliedToMessages(known, event);
    if (changed !== known) messages.value = changed;
    // A collection changes with the flag that it collects.
    if (
      view.kind === 'starred' &&
      event.type === 'update_message_flags' &&
      event.flag === 'starred'
    )
      void start();
    if (event.type !== 'message') return;
    if (!isComplete.peek().newest) {
      if (isLoading.peek()) early.push(event);
      return;
    }
    if (known.some(({ id }) => id === event.message.id)) return;
    void belongsTo(view, event.message, account).then((belongs) => {
      if (belongs) messages.value = [...messages.peek(), { ...event.message, flags: event.flags }];
    });
  };
  const stopEvents = account.onEvent(take);
  let { value: generation } = account.generation;
  const stopResync = account.generation.subscribe((next) => {
    if (next !== generation) void start();
    generation = next;
  });
  void start();
  return {
    messages,
    isComplete,
    isLoading,
    error,
    firstUnread,
    loadOlder: async () => {
      const [first] = messages.peek();
      if (!first || isLoading.peek() || isComplete.peek().oldest) return;
      const params = { anchor: first.id, num_before: PAGE, num_after: 0, include_anchor: false };
      await fetchPage(params, (page) => [...page, ...messages.peek()]);
    },
    loadNewer: async () => {
      const last = messages.peek().at(-1);
      if (!last || isLoading.peek() || isComplete.peek().newest) return;
      const params = { anchor: last.id, num_before: 0, num_after: PAGE, include_anchor: false };
      await fetchPage(params, (page) => [...messages.peek(), ...page]);
    },
    retry: () => failed(),
    apply: (event) => (messages.value = appliedToMessages(messages.peek(), event)),
    refresh: () => void start(),
    showNewest: () => {
      if (!isComplete.peek().newest && !isLoading.peek()) void start('newest');
    },
    stop: () => {
      stopping.abort();
      stopEvents();
      stopResync();
    },
  };
}
