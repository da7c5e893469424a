import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '@bellhop/client';

export const CHANNEL = 'crash';
const PAUSE_MS = 50;
const REACHED_WITHIN_MS = 120_000;

/** Clients that send messages to the channel `crash` all the time, also after errors. */
export interface MessageWriters {
  /** The ids of the messages whose sending succeeded. */
  readonly acknowledged: readonly number[];
  /** The errors of the messages whose sending failed. */
  readonly errors: readonly unknown[];
  /** Resolves when `count` more messages are acknowledged. Rejects after two minutes. */
  readonly acknowledgedMore: (count: number) => Promise<void>;
  /** Resolves when the last send has ended. */
  readonly stop: () => Promise<void>;
}

/** Starts `count` writers. `clientOf` is called for each message: the server may have changed. */
export function startWriters(clientOf: (writer: number) => Client, count = 8): MessageWriters {
  const acknowledged: number[] = [];
  const errors: unknown[] = [];
  let isStopped = false;
  const write = async (writer: number) => {
    for (let at = 0; !isStopped; at++)
      try {
        const topic = `writer ${writer}`;
        const content = `${topic} message ${at}`;
        const message = { type: 'channel', to: CHANNEL, topic, content } as const;
        acknowledged.push((await clientOf(writer).messages.send(message)).id);
      } catch (error) {
        errors.push(error);
        await sleep(PAUSE_MS);
      }
  };
  const writing = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  return {
    acknowledged,
    errors,
    acknowledgedMore: async (more) => {
      const wanted = acknowledged.length + more;
      for (const end = performance.now() + REACHED_WITHIN_MS; acknowledged.length < wanted;) {
        if (performance.now() > end)
          throw new Error(
            `Only ${acknowledged.length} of ${wanted} messages were acknowledged; the last error: ${String(errors.at(-1))}`,
          );
        await sleep(2);
      }
    },
    stop: async () => {
      isStopped = true;
      await writing;
    },
  };
}
