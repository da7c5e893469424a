import { type Client, type RetryPolicy, retry } from '@bellhop/client/plain';
import type { FetchedMessage, MessageId, Narrow } from '@bellhop/protocol';

import type { TopicKey } from '../follow-ups/queue-follow-ups.ts';

const PAGE_SIZE = 500;

interface Gap {
  readonly after: MessageId;
  /** The newest message of the gap. Later ones come through the queue. */
  readonly upTo: number;
  /** Whether to fetch all messages of the bot, or only direct messages and mentions. */
  readonly all: boolean;
  /** The topics whose messages are wanted too. */
  readonly topics: readonly TopicKey[];
}

/** How a listener waits between attempts, and the signal that ends the waiting. */
export type WaitOptions = RetryPolicy & { readonly signal: AbortSignal };

/** Fetches the messages of a gap, ordered by ID. */
export async function missedMessages(
  client: Client,
  { after, upTo, all, topics }: Gap,
  wait: WaitOptions,
): Promise<FetchedMessage[]> {
  if (after >= upTo) return [];
  const narrows: Narrow[] = all
    ? [[]]
    : [narrowIs('dm'), narrowIs('mentioned'), ...topics.map(narrowTopic)];
  const found = new Map<MessageId, FetchedMessage>();
  for (const narrow of narrows)
    for await (const message of messagesAfter(client, { after, narrow }, wait))
      if (message.id <= upTo) found.set(message.id, message);
  return [...found.values()].toSorted((a, b) => a.id - b.id);
}

const narrowTopic = ({ channelId, topic }: TopicKey): Narrow => [
  { operator: 'channel', operand: channelId, negated: false },
  { operator: 'topic', operand: topic, negated: false },
];

const narrowIs = (operand: string): Narrow => [{ operator: 'is', operand, negated: false }];

async function* messagesAfter(
  client: Client,
  { after, narrow }: { after: MessageId; narrow: Narrow },
  wait: WaitOptions,
): AsyncGenerator<FetchedMessage, void, void> {
  for (let anchor = after; ;) {
    const { messages, found_newest } = await untilAnswered(wait, () =>
      client.messages.fetch(
        {
          anchor,
          include_anchor: false,
          num_after: PAGE_SIZE,
          narrow,
          apply_markdown: false,
          client_gravatar: false,
          allow_empty_topic_name: true,
        },
        { retryPolicy: false, signal: wait.signal },
      ),
    );
    yield* messages;
    const last = messages.at(-1);
    if (found_newest || !last) return;
    anchor = last.id;
  }
}

/** Repeats an idempotent request until it succeeds, fails for good, or the signal aborts. */
export const untilAnswered = <T>(wait: WaitOptions, request: () => Promise<T>): Promise<T> =>
  retry(request, { ...wait, repeatable: true, retries: Infinity, maxWaitMs: Infinity });
