import {
  type AskOptions,
  type Client,
  type ClientOptions,
  createPlainClient,
  type sleep,
  uploadFile,
} from '@bellhop/client/plain';
import type { MessageId, UserId } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import { keyMutex } from '../key-mutex.ts';
import type { MentionedUser } from '../mentions.ts';
import { type Attachment, attachmentsOf } from './attachments.ts';
import { callApi } from './call-api.ts';
import {
  type ChannelConversation,
  type Conversation,
  type Destination,
  destinationKey,
  type Place,
} from './conversation.ts';
import { downloadFile } from './download-file.ts';
import {
  fetchHistory,
  findOwn,
  type HistoryMessage,
  type HistoryRange,
  type OwnMessage,
} from './history.ts';
import { locate } from './locate.ts';
import { requireOneMessage } from './message-parts.ts';
import type { PostedMessage } from './posted-message.ts';
import type { Reply } from './reply.ts';
import type { TopicMove } from './thread.ts';
import { userCache } from './user-cache.ts';
import { onlyUser, profileOf, type UserProfile } from './user-profile.ts';

export interface RestOptions extends ClientOptions {
  /** The address of the bot. */
  readonly email: string;
  readonly now?: () => number;
  readonly sleep?: typeof sleep;
}

export interface UploadedFile {
  /** A path on the server: `/user_uploads/...`. */
  readonly url: string;
  /** A Markdown link to the file. */
  readonly markdown: string;
}

/** A user by ID, or, if the ID of a mentioned user is unknown, by full name. */
export type UserReference = number | { readonly id: number } | MentionedUser;

/**
 * The REST API for bots. A call that hits a rate limit waits and is repeated. Calls throw BotError with
 * a cause: `api_rejected` if the server refuses, `api_unreachable` if it does not respond or fails.
 */
export interface Rest {
  /**
   * Sends a message of at most 10,000 characters; rejects with BotError `reply_invalid` for a longer
   * one. Messages to one conversation arrive in the order of the calls.
   */
  post(message: string | Reply, to: Destination, options?: AskOptions): Promise<PostedMessage>;
  edit(id: MessageId, content: string, options?: AskOptions): Promise<void>;
  remove(id: MessageId): Promise<void>;
  react(id: MessageId, emojiName: string): Promise<void>;
  unreact(id: MessageId, emojiName: string): Promise<void>;
  typing(conversation: Conversation, op: 'start' | 'stop', options?: AskOptions): Promise<void>;
  upload(file: File, options?: AskOptions): Promise<UploadedFile>;
  /** The newest messages of a conversation before another one, oldest first. */
  history(conversation: Conversation, range: HistoryRange): Promise<readonly HistoryMessage[]>;
  /** The ID of the first message of the bot with this content; undefined if it is not found. */
  find(conversation: Conversation, own: OwnMessage): Promise<MessageId | undefined>;
  /** Looks up the channel or the users that a destination names. */
  locate(destination: Destination): Promise<Place>;
  /** The files of the server that a text in Markdown links to. */
  attachments(content: string): Promise<readonly Attachment[]>;
  /** Moves the whole topic of a message. Resolves with where it is then. */
  moveTopic(id: MessageId, from: ChannelConversation, to: TopicMove): Promise<Conversation>;
  /**
   * Looks up a user by ID, and caches the result for a minute; by name among all users. Rejects with
   * BotError `api_rejected` if there is no such user, or more than one of that name.
   */
  user(who: UserReference): Promise<UserProfile>;
  /** The client of the whole API. */
  readonly client: Client;
}

/** Throws BotError `api_missing` for a bot without an API key. */
export function requireRest(rest: Rest | undefined): Rest {
  if (rest !== undefined) return rest;
  const message = 'This needs the REST API: give createBot `api: { url, apiKey }`.';
  throw new BotError('api_missing', message);
}

/** The REST API with the e-mail address and API key of a bot. */
export function createRest({ now = Date.now, sleep: pause, ...given }: RestOptions): Rest {
  const retryPolicy = { ...(pause ? { sleep: pause } : {}), ...given.retryPolicy };
  const options: ClientOptions = { userAgent: 'BellhopBot/0.1', ...given, retryPolicy };
  const client = createPlainClient(options);
  const ordered = keyMutex();
  const fetchUser = (user_id: UserId) =>
    callApi('look up a user', async () => profileOf((await client.users.get({ user_id })).user));
  const knownUser = userCache(fetchUser, now);

  const rest: Rest = {
    client,
    post: (message, destination, callOptions) =>
      ordered(destinationKey(destination), () =>
        callApi('send a message', async () => {
          requireOneMessage(typeof message === 'string' ? message : message.content);
          const sent = await client.messages.send(messageParams(destination, message), callOptions);
          return postedMessage(rest, sent.id);
        }),
      ),
    edit: (message_id, content, callOptions) =>
      ordered(`m${message_id}`, () =>
        callApi('edit a message', async () => {
          requireOneMessage(content);
          await client.messages.edit({ message_id, content }, callOptions);
        }),
      ),
    remove: (message_id) =>
      ordered(`m${message_id}`, () =>
        callApi(
          'delete a message',
          async () => void (await client.messages.remove({ message_id })),
        ),
      ),
    react: (message_id, emoji_name) =>
      callApi('react to a message', async () => {
        await client.reactions.add({ message_id, emoji_name }).catch(ignoreExisting);
      }),
    unreact: (message_id, emoji_name) =>
      callApi('remove a reaction', async () => {
        await client.reactions.remove({ message_id, emoji_name });
      }),
    typing: (conversation, op, callOptions) =>
      callApi('send a typing notice', async () => {
        await client.typing.send({ op, ...typingParams(conversation) }, callOptions);
      }),
    upload: (file, callOptions) =>
      callApi('upload a file', async () => {
        const { url, filename } = await uploadFile(options, file, callOptions);
        return { url, markdown: `[${filename.replace(/[[\]\n]/g, '_')}](${url})` };
      }),
    user: async (who) => {
      const id = typeof who === 'number' ? who : who.id;
      if (id !== undefined) return knownUser(id as UserId);
      return callApi('look up a user', async () => {
        const { members } = await client.users.list();
        return onlyUser(members.map(profileOf), who as MentionedUser);
      });
    },
    history: (conversation, range) =>
      callApi('read a conversation', () => fetchHistory(client, conversation, range)),
    find: (conversation, own) =>
      callApi('search for a message', () =>
        findOwn(client, conversation, { ...own, email: given.email }),
      ),
    locate: (destination) =>
      callApi('look up a conversation', () => locate(client, destination, given.email)),
    attachments: (content) =>
      attachmentsOf(content, { siteUrl: given.url, download: (path) => downloadFile(given, path) }),
    moveTopic: (message_id, from, { channel, topic = from.topic }) =>
      callApi('move a topic', async () => {
        const place =
          channel === undefined ? undefined : await client.channels.id({ stream: channel });
        const propagate_mode = 'change_all' as const;
        await client.messages.edit({ message_id, topic, propagate_mode, ...place });
        return { type: 'channel', channelId: place?.stream_id ?? from.channelId, topic };
      }),
  };
  return rest;
}

/** A delivery that is handled again after a crash adds its reactions again. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'REACTION_ALREADY_EXISTS')) throw error;
}

/** A message of the bot, with what can be done with it. */
export const postedMessage = (
  rest: Pick<Rest, 'edit' | 'remove' | 'react'>,
  id: MessageId,
): PostedMessage => ({
  id,
  edit: (content, options) => rest.edit(id, content, options),
  remove: () => rest.remove(id),
  react: (emojiName) => rest.react(id, emojiName),
});

function messageParams(destination: Destination, message: string | Reply) {
  const { content, widget } = typeof message === 'string' ? { content: message } : message;
  const widget_content =
    widget === undefined || typeof widget === 'string' ? widget : JSON.stringify(widget);
  const body = { content, ...(widget_content === undefined ? {} : { widget_content }) };
  if ('topic' in destination) {
    const to = 'channel' in destination ? destination.channel : destination.channelId;
    return { type: 'channel' as const, to, topic: destination.topic, ...body };
  }
  const to = 'emails' in destination ? [...destination.emails] : [...destination.userIds];
  return { type: 'direct' as const, to, ...body };
}

const typingParams = (conversation: Conversation) =>
  conversation.type === 'channel'
    ? { type: 'channel' as const, stream_id: conversation.channelId, topic: conversation.topic }
    : { type: 'direct' as const, to: [...conversation.userIds] };
