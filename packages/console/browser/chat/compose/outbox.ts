import { ApiError, type QueuedEvent } from '@bellhop/protocol';
import { type ReadonlySignal, signal } from '@preact/signals';

import { messageOf } from '../../controls/message-of.ts';
import { readJson } from '../../json/read-json.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { type Destination, sendParams } from './destination.ts';
import { isStored } from './is-stored.ts';
import { type Unsent, unsentOf } from './unsent.ts';

/** The messages of a user that wait for their event. */
export interface Outbox {
  readonly unsent: ReadonlySignal<readonly Unsent[]>;
  /** Returns the `local_id` of the message, which waits for its event. */
  readonly send: (to: Destination, content: string) => string;
  readonly retry: (unsent: Unsent) => void;
  readonly discard: (unsent: Unsent) => void;
}

/** Where a tab keeps what it has not sent. */
type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const PATIENCE_MS = 30_000;
const outboxes = new Map<number, ReturnType<typeof createOutbox>>();

/** The outbox of an account. It lives as long as the page, and its messages as long as the tab. */
export function outboxOf(account: LiveAccount, storage: Kept = sessionStorage): Outbox {
  const known = outboxes.get(account.user_id) ?? createOutbox(account, storage);
  outboxes.set(account.user_id, known);
  known.follow(account);
  return known;
}

function createOutbox({ user_id }: LiveAccount, storage: Kept) {
  const kept = keptUnsent(user_id, storage);
  const unsent = signal(kept.restore());
  /** IDs of own messages whose event came before the answer. */
  const arrived = new Set<number>();
  let account: LiveAccount | undefined;
  let newest = -1;
  let turn = Promise.resolve();

  const set = (all: readonly Unsent[]) => {
    unsent.value = all;
    if (all.length === 0) arrived.clear();
    kept.keep(all);
  };
  const drop = (isGone: (one: Unsent) => boolean) => {
    const left = unsent.peek().filter((one) => !isGone(one));
    if (left.length < unsent.peek().length) set(left);
  };
  const discard = ({ local_id }: Unsent) => drop((one) => one.local_id === local_id);
  const change = (changed: Unsent) =>
    set(unsent.peek().map((one) => (one.local_id === changed.local_id ? changed : one)));

  /** Discards a message that failed without an answer of the server, if it is stored. */
  const discardIfStored = async (client: LiveAccount['client'], one: Unsent) => {
    if (one.reason === undefined || one.after === undefined) return;
    if (await isStored(client, user_id, one).catch(() => false)) discard(one);
  };
  const attempt = async ({ client, state }: LiveAccount, one: Unsent) => {
    const { max_message_id = -1, queue_id } = state.peek() ?? {};
    const { local_id, to, content, after = Math.max(newest, max_message_id) } = one;
    try {
      if (one.after !== undefined && (await isStored(client, user_id, one))) return discard(one);
      change({ ...one, after });
      const echo = queue_id ? { queue_id, local_id } : {};
      const params = { ...sendParams(to), content, read_by_sender: true, ...echo };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const { id } = await client.messages.send(params, { signal });
      newest = Math.max(newest, id);
      if (arrived.has(id)) discard(one);
      else change({ ...one, after, id });
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      const failed = { ...one, after: isRefused ? undefined : after, reason: messageOf(error) };
      change(failed);
      // A queue that was registered meanwhile delivers no event of the message.
      if (state.peek()?.queue_id !== queue_id) await discardIfStored(client, failed);
    }
  };
  /** One after the other, so that messages arrive in the order in which they were written. */
  const post = (one: Unsent) => {
    turn = turn.then(() => (account ? attempt(account, one) : undefined));
  };
  const take = (event: QueuedEvent) => {
    if (event.type !== 'message' || event.message.sender_id !== user_id) return;
    if (unsent.peek().length === 0) return;
    const { id } = event.message;
    arrived.add(id);
    drop((one) => one.local_id === event.local_message_id || one.id === id);
  };
  /**
   * Called after a new queue, which delivers no earlier event; the stored messages have been
   * fetched.
   */
  const settle = async (client: LiveAccount['client']) => {
    drop(({ id }) => id !== undefined);
    for (const one of unsent.peek()) await discardIfStored(client, one);
  };
  return {
    unsent,
    send: (to: Destination, content: string) => {
      const local_id = `${Date.now()}.${Math.random()}`;
      const timestamp = Math.floor(Date.now() / 1000);
      const one = { local_id, to, content: content.replace(/^\n+/, '').trimEnd(), timestamp };
      set([...unsent.peek(), one]);
      post(one);
      return local_id;
    },
    retry: (one: Unsent) => {
      const again = { ...one, reason: undefined };
      change(again);
      post(again);
    },
    discard,
    follow: (next: LiveAccount) => {
      if (next === account) return;
      account = next;
      next.onEvent(take);
      next.generation.subscribe(() => void settle(next.client));
    },
  };
}

/** Keeps the unsent messages of a user over a reload of this tab. Anything else stored there is dropped. */
function keptUnsent(user_id: number, storage: Kept) {
  const key = `bellhop-console-unsent-${user_id}`;
  return {
    keep: (all: readonly Unsent[]) => {
      try {
        storage.setItem(key, JSON.stringify(all));
      } catch {
        // The storage of the tab is full: the messages are still on the page.
      }
    },
    restore: (): readonly Unsent[] =>
      unsentOf(readJson(storage.getItem(key) ?? '')).map((one) => ({
        ...one,
        reason: one.reason ?? 'The page was closed before the message was confirmed.',
      })),
  };
}
