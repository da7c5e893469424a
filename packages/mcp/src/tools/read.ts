import { z } from 'zod';

import type { Agent } from '../agent.ts';
import { ToolError } from '../failure.ts';
import { fitting, MAX_RESULT_CHARACTERS } from '../fitting.ts';
import { MessagePage, pageParams, readPage, type Terms } from '../message-page.ts';
import { MessageView, messageView, Notice, NOTICE } from '../message-view.ts';
import { readingTool, type Tool } from './define-tool.ts';
import { channel, message_id, people, topic } from './params.ts';
import { conversationOf, narrowTo, readableMessage } from './readable-message.ts';

/** The most characters of a message that was asked for by its ID. Servers of this protocol allow 10,000. */
const MAX_WHOLE = 20_000;
const MAX_CONTEXT_CONTENT = 1000;

export const readMessages: Tool = readingTool({
  name: 'read_messages',
  title: 'Read messages',
  description:
    'Reads the messages of a channel, of one of its topics, or of a direct conversation. Without "before" and "after" the newest are returned.',
  input: z
    .strictObject({
      channel: channel.optional(),
      topic: topic.optional(),
      people: people.optional(),
      ...pageParams,
      after: z
        .int()
        .min(0)
        .optional()
        .describe(
          'Only messages after this message ID; the oldest of them are returned. 0: from the beginning',
        ),
    })
    .refine((args) => (args.channel === undefined) !== (args.people === undefined), {
      error: 'Give either channel (with or without topic) or people',
    })
    .refine((args) => args.topic === undefined || args.channel !== undefined, {
      error: 'A topic needs its channel',
    })
    .refine((args) => args.before === undefined || args.after === undefined, {
      error: 'Give before or after, not both',
    }),
  output: MessagePage,
  async run(agent, { channel: wanted, topic: name, people: ids = [], ...range }, signal) {
    const narrow =
      wanted === undefined
        ? directTerms(agent, ids)
        : await placeTerms(agent, { wanted, name, signal });
    return readPage(agent, [narrow], { ...range, signal });
  },
});

export const searchMessages: Tool = readingTool({
  name: 'search_messages',
  title: 'Search messages',
  description:
    'Searches all public channels and what you have received, or a channel, one of its topics, the messages of a sender. Name a private channel to search also what was written before you joined it. A message matches if it has all the words. Try other words if nothing is found, and read the conversation around a hit with get_message before you rely on it.',
  input: z
    .strictObject({
      words: z.string().trim().min(1).max(200).optional().describe('Words of the content or topic'),
      channel: channel.optional(),
      topic: topic.optional(),
      sender: z.int().positive().optional().describe('A user ID'),
      ...pageParams,
    })
    .refine((args) => args.words !== undefined || args.sender !== undefined, {
      error: 'Give words, a sender, or both; read_messages reads a channel without a search',
    })
    .refine((args) => args.topic === undefined || args.channel !== undefined, {
      error: 'A topic needs its channel',
    }),
  output: MessagePage,
  async run(agent, { words, channel: wanted, topic: name, sender, ...range }, signal) {
    const terms: Terms = [
      ...(words === undefined ? [] : [{ operator: 'search', operand: words }]),
      ...(sender === undefined ? [] : [{ operator: 'sender', operand: sender }]),
    ];
    const place = wanted ?? onlyChannel(agent);
    // Without a channel a server searches what the bot has received, and public channels if asked for.
    const places: readonly Terms[] =
      place === undefined
        ? [[], [{ operator: 'channels', operand: 'public' }]]
        : [await placeTerms(agent, { wanted: place, name, signal })];
    const narrows = places.map((one) => [...one, ...terms]);
    return readPage(agent, narrows, { ...range, signal });
  },
});

export const getMessage: Tool = readingTool({
  name: 'get_message',
  title: 'Get a message with its context',
  description:
    'Returns one message in full, and the messages before and after it in its topic or direct conversation.',
  input: z.strictObject({
    message_id,
    context: z
      .int()
      .min(0)
      .max(20)
      .default(5)
      .describe('How many messages before it, and how many after it'),
  }),
  output: z.object({
    notice: Notice,
    message: MessageView,
    context: z.array(MessageView).describe('Oldest first, without the message itself'),
    context_left_out: z.int().optional().describe('Messages left out for their length'),
  }),
  async run(agent, { message_id: id, context: size }, signal) {
    const found = await readableMessage(agent, id, signal);
    const message = messageView(agent, found, MAX_WHOLE);
    if (size === 0) return { notice: NOTICE, message, context: [] };
    const { messages } = await agent.client.messages.fetch(
      {
        narrow: narrowTo(conversationOf(found, agent)).map((term) => ({ ...term })),
        anchor: id,
        num_before: size,
        num_after: size,
        apply_markdown: false,
      },
      { signal },
    );
    const views = messages
      .filter((one) => one.id !== found.id)
      .map((one) => messageView(agent, one, MAX_CONTEXT_CONTENT));
    // The nearest are the most useful.
    const nearest = views.toSorted((a, b) => Math.abs(a.id - id) - Math.abs(b.id - id));
    const kept = fitting(nearest, MAX_RESULT_CHARACTERS - message.content.length);
    const leftOut = views.length - kept.length;
    return {
      notice: NOTICE,
      message,
      context: kept.sort((a, b) => a.id - b.id),
      ...(leftOut > 0 && { context_left_out: leftOut }),
    };
  },
});

function directTerms(agent: Agent, ids: readonly number[]): Terms {
  requireDirect(agent);
  return [{ operator: 'dm', operand: [...ids] }];
}

/** Throws a ToolError if the agent may use only some channels. */
export function requireDirect({ channels }: Agent): void {
  if (channels.chosen)
    throw new ToolError(
      'You may use only some channels, which list_channels names, and no direct messages.',
    );
}

interface Place {
  readonly wanted: string | number;
  readonly name: string | undefined;
  readonly signal: AbortSignal;
}

async function placeTerms(agent: Agent, { wanted, name, signal }: Place): Promise<Terms> {
  const { id } = await agent.channels.find(wanted, signal);
  return [
    { operator: 'channel', operand: id },
    ...(name === undefined ? [] : [{ operator: 'topic', operand: name }]),
  ];
}

/** The channel of a search that names none: undefined for all. Throws a ToolError if there are several. */
function onlyChannel({ channels: { chosen } }: Agent): number | undefined {
  if (!chosen) return undefined;
  const [first, ...others] = chosen;
  if (first && others.length === 0) return first.id;
  const names = chosen.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new ToolError(`Name the channel to search, one of ${names}.`);
}
