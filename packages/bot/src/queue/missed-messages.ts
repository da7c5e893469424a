import { type Client, type Patience, patiently } from '@bellhop/client';
import type { FetchedMessage, MessageId, Narrow } from '@bellhop/protocol';

const PAGE = 500;

interface Gap {
  readonly after: MessageId;
  /** What is newer comes through the queue. */
  readonly upTo: number;
  /** All messages of the bot, or only those a webhook would be told of. */
  readonly all: boolean;
}

/** How the calls of a listener wait: for as long as it takes, until the signal. */
export type Waiting = Patience & { readonly signal: AbortSignal };

/** The messages of a gap, by ID. */
export async function missedMessages(
  client: Client,
  { after, upTo, all }: Gap,
  waiting: Waiting,
): Promise<FetchedMessage[]> {
  if (after >= upTo) return [];
  const narrows: Narrow[] = all ? [[]] : [narrowIs('dm'), narrowIs('mentioned')];
  const found = new Map<MessageId, FetchedMessage>();
  for (const narrow of narrows)
    for await (const message of allAfter(client, { after, narrow }, waiting))
      if (message.id <= upTo) found.set(message.id, message);
  return [...found.values()].toSorted((a, b) => a.id - b.id);
}

const narrowIs = (operand: string): Narrow => [{ operator: 'is', operand, negated: false }];

async function* allAfter(
  client: Client,
  { after, narrow }: { after: MessageId; narrow: Narrow },
  waiting: Waiting,
): AsyncGenerator<FetchedMessage, void, void> {
  for (let anchor = after; ;) {
    const { messages, found_newest } = await withWaiting(waiting, () =>
      client.messages.fetch(
        {
          anchor,
          include_anchor: false,
          num_after: PAGE,
          narrow,
          apply_markdown: false,
          client_gravatar: false,
          allow_empty_topic_name: true,
        },
        { patience: false, signal: waiting.signal },
      ),
    );
    yield* messages;
    const last = messages.at(-1);
    if (found_newest || !last) return;
    anchor = last.id;
  }
}

/** Asks something that does no harm twice, until there is an answer. */
export const withWaiting = <T>(waiting: Waiting, ask: () => Promise<T>): Promise<T> =>
  patiently(ask, { ...waiting, repeatable: true, retries: Infinity, maxWaitMs: Infinity });
