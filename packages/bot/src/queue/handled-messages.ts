import type { MessageId } from '@bellhop/protocol';

import type { JsonValue } from '../stores/store.ts';

/**
 * The server reserves message IDs before it stores the messages, so a message can appear after one
 * with a higher ID. A fetch after a gap starts this many IDs below the last handled message.
 */
const OVERLAP = 200;
/** Limit of messages that have begun and not finished. */
const MAX_PENDING = 100;
/** Limit of finished messages above the anchor while a message is pending. */
const MAX_DONE = 5000;

/** Records which messages have been handled, to skip repeats and to find the start of a gap. */
export interface HandledMessages {
  /** Marks a message as pending; false if it is pending or handled already. */
  begin(id: MessageId): boolean;
  /** Marks a pending message as handled. A message still pending at a restart can begin again. */
  finish(id: MessageId): void;
  /** All messages up to this ID are handled or older than the bot. A fetch after a gap starts here. */
  anchor(): MessageId;
  /** Marks all messages of the gap as begun. The anchor may then rise above the gap's start. */
  caughtUp(): void;
  /** Whether new messages should wait until pending ones finish. */
  full(): boolean;
  /** The JSON to store for the next start. */
  snapshot(): JsonValue;
}

interface Snapshot {
  /** The newest message that is older than the bot. */
  readonly floor: number;
  readonly last: number;
  /** The anchor. */
  readonly from: number;
  readonly done: readonly number[];
}

/** Starts after `newest`, the ID of the newest message on the server, or -1 if it has none. */
export function handledMessagesSince(newest: number): HandledMessages {
  const floor = Math.max(0, newest);
  return handledMessages({ floor, last: floor, from: floor, done: [] });
}

/** Restores a snapshot; undefined for any other value. */
export function restoreHandledMessages(
  snapshot: JsonValue | undefined,
): HandledMessages | undefined {
  if (typeof snapshot !== 'object' || snapshot === null || !('done' in snapshot)) return undefined;
  const { floor, last, from, done } = snapshot;
  if (typeof floor !== 'number' || typeof last !== 'number' || typeof from !== 'number')
    return undefined;
  if (!Array.isArray(done)) return undefined;
  return handledMessages({ floor, last, from, done: done.filter((id) => typeof id === 'number') });
}

function handledMessages({ floor, last: newest, from, done: before }: Snapshot): HandledMessages {
  const done = new Set<number>(before);
  const pending = new Set<number>();
  let last = newest;
  let gapStart = from;

  const anchor = () => {
    let oldest = Math.min(gapStart, last - OVERLAP);
    for (const id of pending) oldest = Math.min(oldest, id - 1);
    return Math.max(floor, oldest) as MessageId;
  };
  return {
    begin(id) {
      if (done.has(id) || pending.has(id)) return false;
      pending.add(id);
      return true;
    },
    finish(id) {
      pending.delete(id);
      done.add(id);
      last = Math.max(last, id);
      const handledUpTo = anchor();
      for (const old of done) if (old <= handledUpTo) done.delete(old);
    },
    anchor,
    caughtUp: () => void (gapStart = Infinity),
    full: () => pending.size >= MAX_PENDING || (done.size >= MAX_DONE && pending.size > 0),
    snapshot: () => ({ floor, last, from: anchor(), done: [...done] }),
  };
}
