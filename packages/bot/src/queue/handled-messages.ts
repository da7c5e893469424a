import { type MessageId, MessageId as Id } from '@bellhop/protocol';

import type { JsonValue } from '../stores/store.ts';

/**
 * IDs are given before messages are stored, so that one may appear after a later one. Those so far
 * below the last handled one are looked at again.
 */
const OVERLAP = 200;
/** How many unfinished messages, and finished ones behind an unfinished one, are kept in mind. */
const MOST_PENDING = 100;
const MOST_DONE = 5000;

/** Which messages were handled: what not to do again, and where to go on after a gap. */
export interface HandledMessages {
  /** False for a message that was handled, or is being handled. */
  begin(id: MessageId): boolean;
  /** One that was begun and is never finished is begun again after a restart. */
  finish(id: MessageId): void;
  /** Every message up to this one is handled, or older than the bot: go on after it. */
  anchor(): MessageId;
  /** All there was after the anchor has been begun. */
  caughtUp(): void;
  /** Whether more should wait until some are finished. */
  full(): boolean;
  /** What to keep over a restart. */
  snapshot(): JsonValue;
}

interface Kept {
  /** What was there before the bot was. */
  readonly floor: number;
  readonly last: number;
  /** The anchor. */
  readonly from: number;
  readonly done: readonly number[];
}

/** Begins with nothing handled after `newest`, the newest message there is; -1 for none. */
export function handledSince(newest: number): HandledMessages {
  const floor = Math.max(0, newest);
  return handled({ floor, last: floor, from: floor, done: [] });
}

/** Goes on from a snapshot; undefined when it is none. */
export function handledFrom(snapshot: JsonValue | undefined): HandledMessages | undefined {
  if (typeof snapshot !== 'object' || snapshot === null || !('done' in snapshot)) return undefined;
  const { floor, last, from, done } = snapshot;
  if (typeof floor !== 'number' || typeof last !== 'number' || typeof from !== 'number')
    return undefined;
  if (!Array.isArray(done)) return undefined;
  return handled({ floor, last, from, done: done.filter((id) => typeof id === 'number') });
}

function handled({ floor, last: newest, from, done: before }: Kept): HandledMessages {
  const done = new Set<number>(before);
  const pending = new Set<number>();
  let last = newest;
  let behind = from;

  const anchor = () => {
    let oldest = Math.min(behind, last - OVERLAP);
    for (const id of pending) oldest = Math.min(oldest, id - 1);
    return Id.parse(Math.max(floor, oldest));
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
    caughtUp: () => void (behind = Infinity),
    full: () => pending.size >= MOST_PENDING || (done.size >= MOST_DONE && pending.size > 0),
    snapshot: () => ({ floor, last, from: anchor(), done: [...done] }),
  };
}
