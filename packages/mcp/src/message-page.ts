import type { MessageId } from '@bellhop/protocol';
import { z } from 'zod';

import type { Agent } from './agent.ts';
import type { ChatMessage } from './chat-contract.ts';
import { fitting } from './fitting.ts';
import { MessageView, messageView, Notice, NOTICE } from './message-view.ts';

/** The most characters of one message in a page. */
const MAX_CONTENT = 2000;

export type Terms = readonly {
  readonly operator: string;
  readonly operand: string | number | number[];
}[];

/** The parameters by which a tool reads on. */
export const pageParams = {
  before: z
    .int()
    .positive()
    .optional()
    .describe('Only messages before this message ID; the newest of them are returned'),
  limit: z.int().min(1).max(100).default(30).describe('How many messages at most'),
};

export const MessagePage = z.object({
  notice: Notice,
  messages: z.array(MessageView).describe('Oldest first'),
  paging: z.string().describe('What was left out, and how to read on'),
});

interface PageRequest {
  readonly before?: number | undefined;
  /** 0 reads from the oldest message. */
  readonly after?: number | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The messages that match at least one of the narrows: the newest, the newest before a message, or the
 * oldest after one.
 */
export async function readPage(
  agent: Agent,
  narrows: readonly Terms[],
  { before, after, limit, signal }: PageRequest,
): Promise<z.output<typeof MessagePage>> {
  const isBackwards = after === undefined;
  const answers = await Promise.all(
    narrows.map((narrow) =>
      agent.client.messages.fetch(
        {
          narrow: narrow.map((term) => ({ ...term })),
          anchor: after ?? before ?? 'newest',
          include_anchor: after === undefined && before === undefined,
          num_before: isBackwards ? limit : 0,
          num_after: isBackwards ? 0 : limit,
          apply_markdown: false,
        },
        { signal },
      ),
    ),
  );
  const found = distinct(answers.flatMap(({ messages }) => messages));
  const nearest = isBackwards ? found.toReversed() : found;
  const views = nearest.slice(0, limit).map((message) => messageView(agent, message, MAX_CONTENT));
  const shown = fitting(views);
  const isComplete = answers.every((one) => (isBackwards ? one.found_oldest : one.found_newest));
  const hasMore = !isComplete || shown.length < nearest.length;
  const messages = isBackwards ? shown.toReversed() : shown;
  return {
    notice: NOTICE,
    messages,
    paging: pagingText(messages, { hasMore, isBackwards, cut: views.length - shown.length }),
  };
}

function distinct(messages: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map<MessageId, ChatMessage>(messages.map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

interface Left {
  readonly hasMore: boolean;
  readonly isBackwards: boolean;
  /** Messages that were left out for their length. */
  readonly cut: number;
}

function pagingText(messages: readonly MessageView[], { hasMore, isBackwards, cut }: Left): string {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return 'There are no such messages.';
  const age = isBackwards ? 'older' : 'newer';
  if (!hasMore) return `There are no ${age} messages.`;
  const onwards = isBackwards ? `before=${first.id}` : `after=${last.id}`;
  const why = cut > 0 ? ` (${cut} of them were left out because the result would be too long)` : '';
  return `There are ${age} messages${why}: call again with ${onwards}.`;
}
