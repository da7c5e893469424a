import type { Client } from '@bellhop/client';
import type { User } from '@bellhop/protocol';

import type { ChannelMessage, DirectMessage } from './delivery.ts';
import type { HandlerResult, Reply } from './reply.ts';
import type { Destination, Place } from './rest/place.ts';
import type { Posted, UploadedFile } from './rest/rest.ts';
import type { StreamReplyOptions } from './rest/stream.ts';
import type { JsonValue } from './stores/store.ts';

/** How a streamed reply is shown. */
export type StreamOptions = Pick<StreamReplyOptions, 'everyMs' | 'limit' | 'mark'>;

interface AnyContext<Session> {
  readonly bot: { readonly email: string; readonly full_name: string };
  /** What was said to the bot: the content without the bot's own mention at its start. */
  readonly text: string;
  /** Where the message came from. */
  readonly place: Place;
  /** What the bot remembers; changes are kept when the handler ends well. */
  session: Session;
  /**
   * Aborted when the handler should stop: it takes too long, the program ends, or a newer message
   * has taken its place.
   */
  readonly signal: AbortSignal;
  /**
   * Replies in the conversation the message came from, as often as needed. A single reply goes in
   * the answer to the webhook; further and later ones by REST, for which the bot needs `api`.
   */
  readonly reply: (reply: string | Reply) => Promise<void>;
  /**
   * Says something by REST, here or somewhere else, and returns the message: to be edited, or
   * deleted, later.
   */
  readonly post: (message: string | Reply, to?: Destination) => Promise<Posted>;
  /** Edits a message of the bot's own, by the ID that `post` returned. */
  readonly edit: (messageId: number, content: string) => Promise<void>;
  /** Posts a text while it is being written, edited at a bounded rate. Resolves at its end. */
  readonly stream: (
    chunks: AsyncIterable<string> | Iterable<string>,
    options?: StreamOptions,
  ) => Promise<void>;
  /**
   * Puts a task off until a time, or for so many milliseconds. It is kept in the bot's store, and
   * done by what `bot.task` says of it.
   */
  readonly later: (task: string, at: Date | number, data: JsonValue) => Promise<void>;
  /**
   * Begins a dialog, and returns its first question, to be returned by the handler. Texts of answers
   * that are known already are not asked for.
   */
  readonly begin: (
    dialog: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
  /** Reacts to the message with an emoji, by its name. */
  readonly react: (emojiName: string) => Promise<void>;
  readonly unreact: (emojiName: string) => Promise<void>;
  /** Uploads a file; `markdown` is the link to put into a message. */
  readonly upload: (file: File) => Promise<UploadedFile>;
  /** The user who wrote the message, with role and time zone. */
  readonly sender: () => Promise<User>;
  /** The whole API as the bot may use it, typed. Rate limits are waited out. */
  readonly client: Client;
}

export interface MentionContext<Session = undefined> extends AnyContext<Session> {
  readonly trigger: 'mention';
  readonly message: ChannelMessage;
}

export interface DirectMessageContext<Session = undefined> extends AnyContext<Session> {
  readonly trigger: 'direct_message';
  readonly message: DirectMessage;
}

/** What a handler is given; `trigger` tells which kind of message it is. */
export type Context<Session = undefined> = MentionContext<Session> | DirectMessageContext<Session>;

export interface Contexts<Session> {
  mention: MentionContext<Session>;
  direct_message: DirectMessageContext<Session>;
}

/** What the handler of a command is given. */
export type CommandContext<Args = unknown, Session = undefined> = Context<Session> & {
  /** The name of the command as it was declared. */
  readonly command: string;
  readonly args: Args;
};

/** What `hears` found: the groups of the pattern. */
export type HeardContext<Session = undefined> = Context<Session> & {
  readonly match: RegExpExecArray;
};
