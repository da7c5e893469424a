import type { Rest } from '@bellhop/bot';
import type { UserId } from '@bellhop/protocol';
import { ValidationError } from '@chat-adapter/shared';
import type {
  ChannelInfo,
  FetchOptions,
  FetchResult,
  ListThreadsOptions,
  ListThreadsResult,
  Message,
  ThreadInfo,
  UserInfo,
} from 'chat';

import { NAME } from './adapter-config.ts';
import type { AdapterParts } from './adapter-parts.ts';
import { type BellhopRawMessage, rawOfFetched } from './raw-message.ts';
import type { MessagePage } from './server-calls.ts';
import { channelIdOf, channelOf, decodeThreadId, encodeThreadId } from './thread-id.ts';

/** Each thread of a list costs a call. */
const MAX_THREADS = 20;
/** How many senders of a page are looked up; they are kept for a minute. */
const MAX_LOOKED_UP = 50;

/** Reads messages, and what is known of threads, channels and people. */
export function messageReader(parts: AdapterParts, rest: Pick<Rest, 'user'>) {
  const { calls } = parts;

  /** Which users are bots, as far as the bot may see them: messages do not say it. */
  async function botsAmong(ids: ReadonlySet<UserId>): Promise<ReadonlyMap<UserId, boolean>> {
    const looked = [...ids].slice(0, MAX_LOOKED_UP).map(async (id) => {
      const user = await rest.user(id).catch(() => undefined);
      return [id, user?.isBot] as const;
    });
    const found = (await Promise.all(looked)).filter(
      (one): one is [UserId, boolean] => one[1] !== undefined,
    );
    return new Map(found);
  }

  /** A page of messages, all of one thread, or each of its own. */
  async function result(
    { messages, nextCursor }: MessagePage,
    threadId?: string,
  ): Promise<FetchResult<BellhopRawMessage>> {
    const raws = messages.map(rawOfFetched).filter((raw) => raw !== undefined);
    const bots = await botsAmong(new Set(raws.map(({ sender }) => sender.id)));
    const all = raws.map(async (raw) => {
      const isBot = bots.get(raw.sender.id);
      const known = isBot === undefined ? raw : { ...raw, isBot };
      return parts.message(known, threadId ?? (await parts.threadIdOf(parts.placeOfRaw(raw))));
    });
    return {
      messages: await Promise.all(all),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  }

  const reader = {
    messages: async (threadId: string, options?: FetchOptions) =>
      result(await calls.page(parts.placeOf(threadId), options), threadId),

    async channelMessages(channelId: string, options?: FetchOptions) {
      const id = channelOf(channelId);
      if (id === undefined) return reader.messages(channelId, options);
      return result(await calls.page({ channelId: id }, options));
    },

    async message(threadId: string, messageId: string): Promise<Message<BellhopRawMessage> | null> {
      const found = await calls.one(messageId);
      const page = { messages: found ? [found] : [], nextCursor: undefined };
      return (await result(page, threadId)).messages[0] ?? null;
    },

    async thread(threadId: string): Promise<ThreadInfo> {
      const thread = parts.placeOf(threadId);
      const { id: channelId, name, ...info } = await reader.channel(channelIdOf(threadId));
      const { metadata } = info;
      return {
        ...info,
        id: threadId,
        channelId,
        ...(name === undefined ? {} : { channelName: name }),
        metadata: 'topic' in thread ? { ...metadata, topic: thread.topic } : metadata,
      };
    },

    async channel(channelId: string): Promise<ChannelInfo> {
      const id = channelOf(channelId);
      if (id === undefined) {
        const metadata = { ...decodeThreadId(channelId) };
        return { id: channelId, isDM: true, channelVisibility: 'private', metadata };
      }
      const { name, description, invite_only } = await calls.channel(id);
      return {
        id: channelId,
        name,
        isDM: false,
        channelVisibility: invite_only ? 'private' : 'workspace',
        metadata: { description },
      };
    },

    async threads(
      channelId: string,
      { cursor = '0', limit = MAX_THREADS }: ListThreadsOptions = {},
    ): Promise<ListThreadsResult<BellhopRawMessage>> {
      const id = channelOf(channelId);
      const from = Number(cursor);
      if (id === undefined || !Number.isSafeInteger(from))
        throw new ValidationError(NAME, `There is no channel "${channelId}" at "${cursor}".`);
      const to = from + Math.min(MAX_THREADS, Math.max(1, limit));
      const topics = await calls.topics(id);
      const threads = await Promise.all(
        topics.slice(from, to).map(async ({ name: topic }) => {
          const threadId = encodeThreadId({ channelId: id, topic });
          const first = { direction: 'forward', limit: 1 } as const;
          const [rootMessage] = (await reader.messages(threadId, first)).messages;
          return rootMessage ? [{ id: threadId, rootMessage }] : [];
        }),
      );
      return {
        threads: threads.flat(),
        ...(to < topics.length ? { nextCursor: String(to) } : {}),
      };
    },

    async user(userId: string): Promise<UserInfo | null> {
      const user = await calls.user(userId);
      if (!user) return null;
      const { full_name: fullName, email, is_bot: isBot, avatar_url: avatar } = user;
      const avatarUrl = avatar && new URL(avatar, parts.options.url).href;
      return {
        userId,
        userName: fullName,
        fullName,
        email,
        isBot,
        ...(avatarUrl ? { avatarUrl } : {}),
      };
    },
  };
  return reader;
}
