import {
  type AskOptions,
  type Client,
  type ClientOptions,
  createClient,
  type sleep,
  uploadFile,
} from '@bellhop/client';
import { ApiError, type MessageId, type User, type UserId } from '@bellhop/protocol';

import { keyMutex } from '../key-mutex.ts';
import type { Reply } from '../reply.ts';
import { calling } from './api-failure.ts';
import { type Destination, type Conversation, destinationKey } from './conversation.ts';
import { knownUsers } from './known-users.ts';

export interface RestOptions extends ClientOptions {
  readonly now?: () => number;
  readonly sleep?: typeof sleep;
}

/** A message the bot has sent. */
export interface PostedMessage {
  readonly id: MessageId;
  readonly edit: (content: string, options?: AskOptions) => Promise<void>;
  readonly remove: () => Promise<void>;
  readonly react: (emojiName: string) => Promise<void>;
}

export interface UploadedFile {
  /** Below the server's own address: `/user_uploads/...`. */
  readonly url: string;
  /** A link to it, to be put into a message. */
  readonly markdown: string;
}

/**
 * What a bot does by REST. Rate limits are waited out; what the server refuses is thrown as BotError
 * `api_rejected`, and what it cannot be asked as `api_unreachable`, with the cause.
 */
export interface Rest {
  /** Sends a message. Messages to one conversation arrive in the order of the calls. */
  post(to: Destination, message: string | Reply, options?: AskOptions): Promise<PostedMessage>;
  edit(id: MessageId, content: string, options?: AskOptions): Promise<void>;
  remove(id: MessageId): Promise<void>;
  react(id: MessageId, emojiName: string): Promise<void>;
  unreact(id: MessageId, emojiName: string): Promise<void>;
  typing(place: Conversation, op: 'start' | 'stop', options?: AskOptions): Promise<void>;
  upload(file: File, options?: AskOptions): Promise<UploadedFile>;
  /** A user by ID, at most a minute old. */
  user(id: UserId): Promise<User>;
  /** Everything else: the whole API, typed. */
  readonly client: Client;
}

/** The REST side of a bot, with its e-mail address and API key. */
export function createRest({ now = Date.now, sleep: pause, ...given }: RestOptions): Rest {
  const patience = { ...(pause ? { sleep: pause } : {}), ...given.patience };
  const options: ClientOptions = { userAgent: 'BellhopBot/0.1', ...given, patience };
  const client = createClient(options);
  const ordered = keyMutex();
  const askUser = (user_id: UserId) =>
    calling('look up a user', async () => (await client.users.get({ user_id })).user);

  const rest: Rest = {
    client,
    post: (place, message, asking) =>
      ordered(destinationKey(place), () =>
        calling('send a message', async () => {
          const sent = await client.messages.send(messageTo(place, message), asking);
          return postedWith(rest, sent.id);
        }),
      ),
    edit: (message_id, content, asking) =>
      ordered(`m${message_id}`, () =>
        calling('edit a message', async () => {
          await client.messages.edit({ message_id, content }, asking);
        }),
      ),
    remove: (message_id) =>
      ordered(`m${message_id}`, () =>
        calling(
          'delete a message',
          async () => void (await client.messages.remove({ message_id })),
        ),
      ),
    react: (message_id, emoji_name) =>
      calling('react to a message', async () => {
        await client.reactions.add({ message_id, emoji_name }).catch(unlessThere);
      }),
    unreact: (message_id, emoji_name) =>
      calling('take back a reaction', async () => {
        await client.reactions.remove({ message_id, emoji_name });
      }),
    typing: (place, op, asking) =>
      calling('say that the bot is typing', async () => {
        await client.typing.send({ op, ...typingIn(place) }, asking);
      }),
    upload: (file, asking) =>
      calling('upload a file', async () => {
        const { url, filename } = await uploadFile(options, file, asking);
        return { url, markdown: `[${filename.replace(/[[\]\n]/g, '_')}](${url})` };
      }),
    user: knownUsers(askUser, now),
  };
  return rest;
}

/** A delivery that is handled again, after a crash, reacts again: that changes nothing. */
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'REACTION_ALREADY_EXISTS')) throw error;
}

const postedWith = (rest: Rest, id: MessageId): PostedMessage => ({
  id,
  edit: (content, options) => rest.edit(id, content, options),
  remove: () => rest.remove(id),
  react: (emojiName) => rest.react(id, emojiName),
});

function messageTo(place: Destination, message: string | Reply) {
  const { content, widget_content: widget } =
    typeof message === 'string' ? { content: message, widget_content: undefined } : message;
  const widget_content =
    widget === undefined || typeof widget === 'string' ? widget : JSON.stringify(widget);
  const said = { content, ...(widget_content === undefined ? {} : { widget_content }) };
  if (!('type' in place))
    return 'channel' in place
      ? { type: 'channel' as const, to: place.channel, topic: place.topic, ...said }
      : { type: 'direct' as const, to: [...place.users], ...said };
  return place.type === 'channel'
    ? { type: 'channel' as const, to: place.channel_id, topic: place.topic, ...said }
    : { type: 'direct' as const, to: [...place.user_ids], ...said };
}

const typingIn = (place: Conversation) =>
  place.type === 'channel'
    ? { type: 'channel' as const, stream_id: place.channel_id, topic: place.topic }
    : { type: 'direct' as const, to: [...place.user_ids] };
