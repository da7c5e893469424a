import type { Person, Rest } from '@bellhop/bot';
import { streamReply } from '@bellhop/bot/internals';
import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { extractCard, ValidationError } from '@chat-adapter/shared';
import {
  type AdapterPostableMessage,
  type CardElement,
  NotImplementedError,
  type RawMessage,
  type ScheduledMessage,
  type StreamChunk,
  type StreamOptions,
} from 'chat';

import { NAME } from './adapter-config.ts';
import { adapterError } from './adapter-error.ts';
import type { AdapterParts } from './adapter-parts.ts';
import { buttonsOf } from './card-buttons.ts';
import { buttonsMessage, needsOwnMessage } from './card-widget.ts';
import { uploadedLinks } from './files.ts';
import type { BellhopRawMessage } from './raw-message.ts';
import { type BellhopThreadId, channelIdOf, encodeThreadId } from './thread-id.ts';

type Posted = RawMessage<BellhopRawMessage>;

/** Leaves room for mentions and emoji, whose form on the server is longer. */
const STREAM_LIMIT = 9500;

/** Posts, changes and deletes messages of the bot. */
export function messagePoster(parts: AdapterParts, rest: Pick<Rest, 'post'>) {
  const { calls, converter } = parts;

  /** The Markdown of a message, with links to its files. */
  async function contentOf(message: AdapterPostableMessage, card: CardElement | null) {
    const links = await uploadedLinks(message, parts.options);
    return joined(converter.renderPostable(card ?? message), ...links);
  }

  async function endButtons(thread: BellhopThreadId, messageId: string): Promise<void> {
    await parts.session.buttons.end(await parts.threadIdOf(thread), messageId);
  }

  /** Posts the content of a card, and its buttons: in one message if their heading can hold the content. */
  async function postButtons(
    thread: BellhopThreadId,
    card: CardElement,
    content: string,
  ): Promise<Posted> {
    const { buttons, me } = parts.session;
    const threadId = await parts.threadIdOf(thread);
    const named = await buttons.named(threadId, buttonsOf(card));
    const isOwn = needsOwnMessage(content);
    if (isOwn) await calls.send(thread, content);
    const asked = buttonsMessage(card, named, {
      content: isOwn ? (card.title ?? '') : content,
      // Without it the message of a press would not reach the webhook of the bot.
      mention: 'userIds' in thread ? '' : `@**${me.fullName}|${me.id}** `,
    });
    const id = await calls.send(thread, asked.content, asked.widget);
    await buttons.keep(threadId, id, named);
    return posted(thread, id, asked.content);
  }

  function posted(thread: BellhopThreadId, id: string, content: string): Posted {
    const said = {
      id: Number(id) as MessageId,
      content,
      renderedContent: '',
      sender: parts.session.me,
      timestamp: Math.floor(Date.now() / 1000),
    };
    const raw =
      'userIds' in thread
        ? { ...said, recipients: thread.userIds.map((one) => nameless(one)) }
        : {
            ...said,
            channel: { id: thread.channelId as ChannelId, name: '' },
            topic: thread.topic,
          };
    return { id, threadId: encodeThreadId(thread), raw };
  }

  return {
    async post(threadId: string, message: AdapterPostableMessage): Promise<Posted> {
      const thread = parts.placeOf(threadId);
      const card = extractCard(message);
      const hasButtons = card !== null && buttonsOf(card).length > 0;
      const content = await contentOf(message, card);
      if (hasButtons) return postButtons(thread, card, content);
      return posted(thread, await calls.send(thread, content), content);
    },

    async edit(
      threadId: string,
      messageId: string,
      message: AdapterPostableMessage,
    ): Promise<Posted> {
      const thread = parts.placeOf(threadId);
      const card = extractCard(message);
      requireNoButtons(card, 'A message that is posted gets no buttons: post a new card.');
      const content = await contentOf(message, card);
      await calls.edit(messageId, content);
      await endButtons(thread, messageId);
      return posted(thread, messageId, content);
    },

    async remove(threadId: string, messageId: string): Promise<void> {
      await calls.remove(messageId);
      await endButtons(parts.placeOf(threadId), messageId);
    },

    async stream(
      threadId: string,
      textStream: AsyncIterable<string | StreamChunk>,
      { signal, updateIntervalMs = 500 }: StreamOptions = {},
    ): Promise<Posted> {
      const conversation = parts.placeOf(threadId);
      const rendered = (content: string) => converter.renderPostable({ markdown: content });
      const post: Rest['post'] = async (message, to, options) => {
        const content = typeof message === 'string' ? message : message.content;
        const sent = await rest.post(rendered(content), to, options);
        return { ...sent, edit: (text, how) => sent.edit(rendered(text), how) };
      };
      const everyMs = Math.max(500, updateIntervalMs);
      const options = { everyMs, limit: STREAM_LIMIT, ...(signal ? { signal } : {}) };
      try {
        const target = { rest: { post }, conversation };
        const { messages, text } = await streamReply(target, shownChunks(textStream), options);
        const last = messages.at(-1);
        if (last) return posted(conversation, String(last.id), text);
      } catch (error) {
        throw adapterError('post a stream', error);
      }
      throw new ValidationError(NAME, 'The stream had no text, so nothing was posted.');
    },

    async schedule(
      threadId: string,
      message: AdapterPostableMessage,
      postAt: Date,
    ): Promise<ScheduledMessage<BellhopRawMessage>> {
      const thread = parts.placeOf(threadId);
      const card = extractCard(message);
      requireNoButtons(card, 'A scheduled message has no buttons: post the card when it is time.');
      const content = await contentOf(message, card);
      const id = await calls.schedule(thread, content, postAt);
      const { raw } = posted(thread, '0', content);
      return {
        scheduledMessageId: String(id),
        channelId: channelIdOf(threadId),
        postAt,
        raw,
        cancel: () => calls.unschedule(id),
      };
    },
  };
}

function requireNoButtons(card: CardElement | null, why: string): void {
  if (card !== null && buttonsOf(card).length > 0) throw new NotImplementedError(why, 'buttons');
}

/** A recipient of whom only the ID is known. */
const nameless = (id: number): Person => ({ id: id as UserId, email: '', fullName: '' });

const joined = (...texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n');

/** What a stream shows: its text, and meanwhile the titles of its tasks. */
async function* shownChunks(stream: AsyncIterable<string | StreamChunk>) {
  for await (const chunk of stream)
    if (typeof chunk === 'string') yield chunk;
    else if (chunk.type === 'markdown_text') yield chunk.text;
    else if (chunk.type === 'plan_update' || chunk.status === 'in_progress')
      yield { status: chunk.title };
}
