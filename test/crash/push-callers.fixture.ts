import { setTimeout as sleep } from 'node:timers/promises';

import { type PushServer, pushRequestTo } from '../support/push-server.ts';
import type { TrackedNotification, TrackedPhone } from './push-phones.fixture.ts';

const CALLERS = 12;
const REPEAT_AFTER_MS = 500;
const PROGRESS_WITHIN_MS = 180_000;

/** One request of a chat server, repeated until it is answered. */
interface PushBatch {
  readonly server: PushServer;
  readonly notifications: readonly TrackedNotification[];
  /** Sent with each repetition. Public chat servers send none. */
  readonly idempotencyKey: string | undefined;
  /** In milliseconds of `performance.now()`. */
  dueAt: number;
}

/** Chat servers that send through the nodes of a bouncer in turn. */
export interface PushCallers {
  readonly add: (batch: Omit<PushBatch, 'dueAt'>) => void;
  /** Notifications in requests that were answered. */
  readonly answered: readonly TrackedNotification[];
  /** How many requests got no answer and were repeated. */
  readonly repeats: () => number;
  /** Phones that an answer called dead. */
  readonly dead: ReadonlySet<TrackedPhone>;
  /** Resolves when so many more requests are answered, or all. Rejects when none is for minutes. */
  readonly answeredMore: (count?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function startPushCallers(urls: readonly (() => string)[]): PushCallers {
  const batches: PushBatch[] = [];
  const answered: TrackedNotification[] = [];
  const dead = new Set<TrackedPhone>();
  let [open, answers, repeats, isStopped] = [0, 0, 0, false];
  let lastError: unknown;

  async function call(batch: PushBatch, url: string): Promise<void> {
    const { server, notifications, idempotencyKey } = batch;
    try {
      const { outcomes } = await server.remotes(url).push.notify(
        {
          realm_uuid: server.realmUuid,
          push_requests: notifications.map(({ phone, text }) => pushRequestTo(phone, text)),
        },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      );
      outcomes.forEach(({ outcome }, index) => {
        const notification = notifications[index];
        if (outcome === 'dead' && notification) dead.add(notification.phone);
      });
      answered.push(...notifications);
      answers++;
      open--;
    } catch (error) {
      lastError = error;
      repeats++;
      batches.push({ ...batch, dueAt: performance.now() + REPEAT_AFTER_MS });
    }
  }

  async function caller(first: number): Promise<void> {
    for (let turn = first; !isStopped; turn++) {
      const index = batches.findIndex(({ dueAt }) => dueAt <= performance.now());
      const [batch] = index < 0 ? [] : batches.splice(index, 1);
      if (batch) await call(batch, urls[turn % urls.length]?.() ?? '');
      else await sleep(20);
    }
  }
  const calling = Promise.all(Array.from({ length: CALLERS }, (_, first) => caller(first)));

  return {
    add: (batch) => {
      open++;
      batches.push({ ...batch, dueAt: 0 });
    },
    answered,
    repeats: () => repeats,
    dead,
    answeredMore: async (count = open) => {
      const wanted = answers + Math.min(count, open);
      for (const end = performance.now() + PROGRESS_WITHIN_MS; answers < wanted;) {
        if (performance.now() > end)
          throw new Error(`${open} requests have no answer; the last error: ${String(lastError)}`);
        await sleep(10);
      }
    },
    stop: async () => {
      isStopped = true;
      await calling;
    },
  };
}
