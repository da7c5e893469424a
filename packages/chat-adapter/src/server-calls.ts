import { narrowTo } from '@bellhop/bot/internals';
import type { Client } from '@bellhop/client/plain';
import type {
  ChannelId,
  FetchedMessage,
  MessageId,
  ScheduledMessageId,
  UserId,
} from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';
import { ValidationError } from '@chat-adapter/shared';
import type { FetchOptions } from 'chat';

import { NAME } from './adapter-config.ts';
import { calling } from './adapter-error.ts';
import { type BellhopThreadId, numericId } from './thread-id.ts';

/** Servers cut longer messages. */
const MAX_MESSAGE_LENGTH = 10_000;
const DEFAULT_PAGE = 50;
const MAX_PAGE = 1000;

export interface MessagePage {
  /** The oldest first. */
  readonly messages: readonly FetchedMessage[];
  /** Undefined if there are no more in the direction. */
  readonly nextCursor: string | undefined;
}

/** The calls of the API that the adapter makes. All throw the errors of the Chat SDK. */
export function serverCalls(client: Client) {
  const shown = { apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true };

  return {
    me: () => calling('look up the bot', () => client.users.me()),

    /** Sends a message. Resolves with its ID. */
    send: (thread: BellhopThreadId, content: string, widget?: object) =>
      calling('post a message', async () => {
        requireLength(content);
        const body = { content, ...(widget ? { widget_content: JSON.stringify(widget) } : {}) };
        const { id } = await client.messages.send({ ...destination(thread), ...body });
        return String(id);
      }),

    edit: (message: string, content: string) =>
      calling('edit a message', async () => {
        requireLength(content);
        await client.messages.edit({ message_id: messageId(message), content });
      }),

    remove: (message: string) =>
      calling('delete a message', async () => {
        await client.messages.remove({ message_id: messageId(message) });
      }),

    /** Adds a reaction. One that the bot has added before stays. */
    react: (message: string, emoji_name: string) =>
      calling('add a reaction', async () => {
        await client.reactions
          .add({ message_id: messageId(message), emoji_name })
          .catch(ignore('REACTION_ALREADY_EXISTS'));
      }),

    unreact: (message: string, emoji_name: string) =>
      calling('remove a reaction', async () => {
        await client.reactions
          .remove({ message_id: messageId(message), emoji_name })
          .catch(ignore('REACTION_DOES_NOT_EXIST'));
      }),

    typing: (thread: BellhopThreadId, op: 'start' | 'stop') =>
      calling('show that the bot is typing', async () => {
        await client.typing.send(
          'userIds' in thread
            ? { op, type: 'direct', to: [...thread.userIds] as UserId[] }
            : { op, type: 'channel', stream_id: channelId(thread), topic: thread.topic },
        );
      }),

    /** The messages of a thread, or of a whole channel. */
    page: (
      place: BellhopThreadId | { readonly channelId: number },
      { cursor, direction = 'backward', limit = DEFAULT_PAGE }: FetchOptions = {},
    ): Promise<MessagePage> =>
      calling('read messages', async () => {
        const size = Math.min(MAX_PAGE, Math.max(1, Math.floor(limit)));
        const isBack = direction === 'backward';
        const { messages, found_oldest, found_newest } = await client.messages.fetch({
          ...shown,
          anchor: cursor === undefined ? (isBack ? 'newest' : 'oldest') : messageId(cursor),
          include_anchor: cursor === undefined,
          num_before: isBack ? size : 0,
          num_after: isBack ? 0 : size,
          narrow: narrowOf(place),
        });
        const end = isBack ? messages[0] : messages.at(-1);
        const isAll = isBack ? found_oldest : found_newest;
        return { messages, nextCursor: isAll || !end ? undefined : String(end.id) };
      }),

    /** Undefined if there is no such message that the bot may read. */
    one: (message: string) =>
      calling('read a message', async () => {
        const params = { message_id: messageId(message), apply_markdown: false };
        try {
          return (await client.messages.fetchOne({ ...params, allow_empty_topic_name: true }))
            .message;
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),

    channel: (id: number) =>
      calling('look up a channel', async () => {
        const { stream } = await client.channels.one({ stream_id: id as ChannelId });
        return stream;
      }),

    /** The topics of a channel, the newest first. */
    topics: (id: number) =>
      calling('list topics', async () => {
        const stream_id = id as ChannelId;
        const { topics } = await client.channels.topics({
          stream_id,
          allow_empty_topic_name: true,
        });
        return topics;
      }),

    /** Undefined if there is no such user that the bot may see. */
    user: (id: string) =>
      calling('look up a user', async () => {
        try {
          return (await client.users.get({ user_id: numericId(id, 'user') as UserId })).user;
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),

    /** Schedules a message. Resolves with the ID that cancels it. */
    schedule: (thread: BellhopThreadId, content: string, at: Date) =>
      calling('schedule a message', async () => {
        requireLength(content);
        const scheduled_delivery_timestamp = Math.floor(at.getTime() / 1000);
        const { scheduled_message_id } = await client.scheduledMessages.add({
          ...destination(thread),
          content,
          scheduled_delivery_timestamp,
        });
        return scheduled_message_id;
      }),

    unschedule: (scheduled_message_id: ScheduledMessageId) =>
      calling('cancel a scheduled message', async () => {
        await client.scheduledMessages.remove({ scheduled_message_id });
      }),

    markRead: (message: string) =>
      calling('mark a message as read', async () => {
        await client.messages.setFlag({ messages: [messageId(message)], op: 'add', flag: 'read' });
      }),

    /** Asks for reactions, edits and deletions by webhook: an extension of Bellhop. */
    requestChanges: () =>
      calling('ask for changes of messages', () =>
        client.botChanges.update({ changes: ['reaction', 'edit', 'delete'] }),
      ),
  };
}

export type ServerCalls = ReturnType<typeof serverCalls>;

const messageId = (id: string) => numericId(id, 'message') as MessageId;
const channelId = ({ channelId: id }: { readonly channelId: number }) => id as ChannelId;

function destination(thread: BellhopThreadId) {
  if ('userIds' in thread) return { type: 'direct' as const, to: [...thread.userIds] };
  return { type: 'channel' as const, to: thread.channelId, topic: thread.topic };
}

function narrowOf(place: BellhopThreadId | { readonly channelId: number }) {
  if ('userIds' in place)
    return narrowTo({ type: 'direct', userIds: place.userIds as readonly UserId[] });
  if ('topic' in place)
    return narrowTo({ type: 'channel', channelId: channelId(place), topic: place.topic });
  return [{ operator: 'channel', operand: place.channelId }];
}

function requireLength(content: string): void {
  const { length } = Array.from(content);
  if (length > MAX_MESSAGE_LENGTH)
    throw new ValidationError(
      NAME,
      `A message has at most ${MAX_MESSAGE_LENGTH} characters, not ${length}: post it in parts, as a stream or as a file.`,
    );
}

const ignore = (code: string) => (error: unknown) => {
  if (!(error instanceof ApiError && error.code === code)) throw error;
};

/** Servers do not tell a missing object from one that the caller may not see. */
const isMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);
