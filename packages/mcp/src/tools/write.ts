import { ApiError, directUrl, narrowUrl } from '@bellhop/protocol';
import { z } from 'zod';

import type { WritingAgent } from '../agent.ts';
import { ToolError, writing } from '../failure.ts';
import { messageView } from '../message-view.ts';
import { writingTool, type Tool } from './define-tool.ts';
import { channel, content, message_id, people, topic } from './params.ts';
import { requireDirect } from './read.ts';
import { type Conversation, conversationOf, readableMessage } from './readable-message.ts';

const Written = z.object({ message_id: z.int(), link: z.string() });
type Written = z.output<typeof Written>;

export const sendMessage: Tool = writingTool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a message to a topic of a channel, which begins if there is none of this name, or to people directly. Others see it at once, and are notified. To answer a message use reply.',
  input: z
    .strictObject({
      channel: channel.optional(),
      topic: topic.optional(),
      people: people.optional(),
      content,
    })
    .refine(
      (args) =>
        (args.channel === undefined) === (args.topic === undefined) &&
        (args.channel === undefined) !== (args.people === undefined),
      { error: 'Give either channel and topic, or people' },
    ),
  output: Written,
  change: { destructive: false, idempotent: false },
  async run(agent, { channel: wanted, topic: name = '', people: ids = [], content: text }, signal) {
    if (wanted !== undefined) {
      const { id, name: channelName } = await agent.channels.find(wanted, signal);
      const to = { channel: { id, name: channelName }, topic: name };
      return send(agent, to, { text, signal });
    }
    requireDirect(agent);
    return send(agent, { people: ids }, { text, signal });
  },
});

export const reply: Tool = writingTool({
  name: 'reply',
  title: 'Reply to a message',
  description:
    'Sends a message to the topic or direct conversation of another one. The other message is not quoted: mention its sender if they should be notified.',
  input: z.strictObject({ message_id, content }),
  output: Written,
  change: { destructive: false, idempotent: false },
  async run(agent, { message_id: id, content: text }, signal) {
    const message = await readableMessage(agent, id, signal);
    return send(agent, conversationOf(message, agent), { text, signal });
  },
});

export const addReaction: Tool = writingTool({
  name: 'add_reaction',
  title: 'React to a message',
  description: 'Adds an emoji to a message: to acknowledge it without a message of your own.',
  input: z.strictObject({
    message_id,
    emoji_name: z
      .string()
      .trim()
      .regex(/^:?[\w+-]{1,98}:?$/, { error: 'Write the name of an emoji, such as thumbs_up' })
      .describe('The name of an emoji of the chat, such as thumbs_up, check or eyes'),
  }),
  output: Written,
  change: { destructive: false, idempotent: true },
  async run(agent, { message_id: id, emoji_name }, signal) {
    const message = await readableMessage(agent, id, signal);
    const reaction = { message_id: id, emoji_name: emoji_name.replaceAll(':', '') };
    await writing(() => agent.writer.reactions.add(reaction, { signal })).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'REACTION_ALREADY_EXISTS') throw error;
      },
    );
    return { message_id: id, link: messageView(agent, message, 0).link };
  },
});

export const editMessage: Tool = writingTool({
  name: 'edit_message',
  title: 'Edit your own message',
  description:
    'Replaces the content of a message that you have sent. The chat keeps what was there in its history.',
  input: z.strictObject({ message_id, content }),
  output: Written,
  change: { destructive: true, idempotent: true },
  async run(agent, { message_id: id, content: text }, signal) {
    const message = await readableMessage(agent, id, signal);
    if (message.sender_id !== agent.me.id)
      throw new ToolError(
        `Message ${id} is not yours: you can edit only messages that you have sent (is_own). Use reply.`,
      );
    await writing(() => agent.writer.messages.edit({ message_id: id, content: text }, { signal }));
    return { message_id: id, link: messageView(agent, message, 0).link };
  },
});

interface Post {
  readonly text: string;
  readonly signal: AbortSignal;
}

type Destination =
  | Exclude<Conversation, { readonly people: unknown }>
  | { readonly people: readonly number[] };

async function send(
  agent: WritingAgent,
  to: Destination,
  { text, signal }: Post,
): Promise<Written> {
  const { writer, url, me } = agent;
  if (!('people' in to)) {
    const { channel: place, topic: name } = to;
    const message = { type: 'channel', to: place.id, topic: name, content: text } as const;
    const { id } = await writing(() => writer.messages.send(message, { signal }));
    return { message_id: id, link: url + narrowUrl(place, name, id) };
  }
  const { people: ids } = to;
  const message = { type: 'direct' as const, to: [...ids], content: text };
  const { id } = await writing(() => writer.messages.send(message, { signal }));
  const all = [...new Set<number>([...ids, me.id])].sort((a, b) => a - b);
  return { message_id: id, link: url + directUrl(all, id) };
}
