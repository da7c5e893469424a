import type { Client } from '@bellhop/client';

import type { ChooseOptions, ChooseToOptions } from './choices/choice.ts';
import type { ChoiceName, DialogName, Names, TaskData, TaskName } from './declared-names.ts';
import type { ChannelMessage, DirectMessage, Person, Reaction, Trigger } from './delivery.ts';
import type { Attachment } from './rest/attachments.ts';
import type { Destination, Conversation } from './rest/conversation.ts';
import type { HistoryMessage } from './rest/history.ts';
import type { PostedMessage } from './rest/posted-message.ts';
import type { HandlerResult, Reply } from './rest/reply.ts';
import type { UploadedFile, UserReference } from './rest/rest.ts';
import type { StreamOptions } from './rest/stream-reply.ts';
import type { StreamSource } from './rest/stream-source.ts';
import type { StreamedReply } from './rest/streamed-reply.ts';
import type { Thread } from './rest/thread.ts';
import type { UserProfile } from './rest/user-profile.ts';
import type { ScheduledTask } from './schedules/tasks.ts';

/** An earlier message of the conversation. */
export interface PastMessage extends HistoryMessage {
  /** The content without the mention of the bot at its start. */
  readonly text: string;
  /** Whether the bot has sent it. */
  readonly isOwn: boolean;
}

/** The fields of every context. */
export interface AnyContext<Session = unknown, N extends Names | undefined = undefined> {
  readonly bot: { readonly email: string; readonly fullName: string };
  /** The content of the message without the mention of the bot at its start. */
  readonly text: string;
  /** The person who sent the message, reacted to it or edited it. */
  readonly by: Person;
  /** The conversation of the message. */
  readonly conversation: Conversation;
  /** The session of the message; it is saved when the handler ends without an error. */
  session: Session;
  /**
   * Aborted when the handler should stop: it has reached its time limit, the program ends, or a newer
   * message replaces this one.
   */
  readonly signal: AbortSignal;
  /**
   * Replies in the conversation of the message, as often as needed. One reply goes in the answer to
   * the webhook; further and late ones go by REST, for which the bot needs `api`.
   */
  readonly reply: (reply: string | Reply) => Promise<void>;
  /**
   * Sends a message by REST, to this conversation or another one. Resolves with the message, which
   * can be edited and deleted.
   */
  readonly post: (message: string | Reply, to?: Destination) => Promise<PostedMessage>;
  /** Edits a message of the bot by the ID that `post` returned. */
  readonly edit: (messageId: number, content: string) => Promise<void>;
  /**
   * Sends a text while it is being produced, by edits at a limited rate. Takes texts, or the stream
   * of a model SDK, whose tool calls show as a status. Resolves at its end with the posted
   * messages. If the model fails, marks the posted text and rejects with the error of the model.
   */
  readonly stream: (source: StreamSource, options?: StreamOptions) => Promise<StreamedReply>;
  /**
   * Schedules a task for a time, or for a number of milliseconds from now. The store keeps the
   * task; the handler of `bot.task` runs it. Resolves with the ID of the task. Rejects with BotError
   * `not_started` if nothing can ever run it.
   */
  readonly later: <T extends TaskName<N>>(
    task: T,
    at: Date | number,
    data: TaskData<N, T>,
  ) => Promise<string>;
  /** Removes a task that does not run yet. Resolves with false if there is none with this ID. */
  readonly cancelTask: (id: string) => Promise<boolean>;
  /** The tasks of the bot that do not run yet, by the time when they are due. */
  readonly tasks: () => Promise<readonly ScheduledTask[]>;
  /**
   * Begins a dialog. Resolves with its first question, for the handler to return. Steps whose answers
   * are given as texts are not asked.
   */
  readonly begin: (
    dialog: DialogName<N>,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
  /**
   * Subscribes the bot to the topic of the message, for an hour or `forMs` milliseconds: messages of
   * people there reach `on('follow_up')` without a mention. In direct messages it does nothing, since
   * the bot gets all of them.
   */
  readonly subscribe: (options?: { readonly forMs?: number }) => Promise<void>;
  /** Ends the subscription to the topic of the message. */
  readonly unsubscribe: () => Promise<void>;
  /**
   * The last `count` messages of the conversation before this one, oldest first: by default 20,
   * at most 1000. `isOwn` marks messages of the bot.
   */
  readonly history: (count?: number) => Promise<readonly PastMessage[]>;
  /** The files on the server that the message links to, with name, type and size. */
  readonly attachments: () => Promise<readonly Attachment[]>;
  /** The topic of the message: to resolve, rename or move it. Later replies go to its new place. */
  readonly thread: Thread;
  /**
   * Asks a question with several options: as buttons in clients that show them, by text or number
   * in all others. The handler of `bot.choice` gets the answer, also after a restart. Resolves with
   * the question, for the handler to return; with `to`, posts it there by REST and resolves with the
   * message.
   */
  readonly choose: Choose<N>;
  /** Reacts to the message with an emoji, by its name. */
  readonly react: (emojiName: string) => Promise<void>;
  readonly unreact: (emojiName: string) => Promise<void>;
  /** Uploads a file; `markdown` of the result is a link for a message. */
  readonly upload: (file: File) => Promise<UploadedFile>;
  /** Looks up a user, with role and time zone; default: `by`. */
  readonly user: (who?: UserReference) => Promise<UserProfile>;
  /** The whole API, typed. A call waits while a rate limit lasts. */
  readonly client: Client;
}

/** Asks a question with several options, as the reply or in another conversation. */
export interface Choose<N extends Names | undefined = undefined> {
  (choice: ChoiceName<N>, question: string, options: ChooseOptions): Promise<HandlerResult>;
  (choice: ChoiceName<N>, question: string, options: ChooseToOptions): Promise<PostedMessage>;
}

/** A message in a channel that mentions the bot. */
export interface MentionContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends AnyContext<Session, N> {
  readonly trigger: 'mention';
  readonly message: ChannelMessage;
}

/** A direct message to the bot, alone or in a group. */
export interface DirectMessageContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends AnyContext<Session, N> {
  readonly trigger: 'direct_message';
  readonly message: DirectMessage;
}

/** The argument of `on('follow_up')`: a message in a topic of the bot that does not mention the bot. */
export interface FollowUpContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends AnyContext<Session, N> {
  readonly trigger: 'follow_up';
  readonly message: ChannelMessage;
}

/** The argument of a handler; `trigger` distinguishes mentions from direct messages. */
export type Context<Session = undefined, N extends Names | undefined = undefined> =
  | MentionContext<Session, N>
  | DirectMessageContext<Session, N>;

/** The argument of dialogs, which get follow-ups too. */
export type MessageContext<Session = undefined, N extends Names | undefined = undefined> =
  | Context<Session, N>
  | FollowUpContext<Session, N>;

/** The argument of `on('reaction')`: a person reacted to the message or removed a reaction. */
export interface ReactionContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends AnyContext<Session, N> {
  readonly trigger: 'reaction';
  readonly message: ChannelMessage | DirectMessage;
  readonly reaction: Reaction;
}

/** The argument of `on('edit')`: a person changed the content of the message. */
export interface EditContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends AnyContext<Session, N> {
  readonly trigger: 'edit';
  readonly message: ChannelMessage | DirectMessage;
  readonly earlierContent: string;
}

/** The argument of `on('delete')`: the message was deleted, and its content is unknown. */
export interface DeleteContext<
  Session = undefined,
  N extends Names | undefined = undefined,
> extends Omit<AnyContext<Session, N>, 'by' | 'react' | 'unreact' | 'attachments'> {
  /** The server does not say who deleted a message. */
  readonly by: undefined;
  readonly trigger: 'delete';
  readonly message: ChannelMessage | DirectMessage;
}

/** The context of each trigger. */
export interface Contexts<Session, N extends Names | undefined> {
  mention: MentionContext<Session, N>;
  direct_message: DirectMessageContext<Session, N>;
  follow_up: FollowUpContext<Session, N>;
  reaction: ReactionContext<Session, N>;
  edit: EditContext<Session, N>;
  delete: DeleteContext<Session, N>;
}

/**
 * The argument of a handler of `on`: `EventContext<'mention'>`. Without a trigger it is the argument
 * of middleware: the context of a message, or of a reaction, edit or deletion.
 */
export type EventContext<
  T extends Trigger = Trigger,
  Session = undefined,
  N extends Names | undefined = undefined,
> = Contexts<Session, N>[T];

/** The argument of the handler of a command. */
export type CommandContext<
  Args = unknown,
  Session = undefined,
  N extends Names | undefined = undefined,
> = Context<Session, N> & {
  /**
   * The person who gave the command. `by` is the person who confirmed it, if it needed a
   * confirmation.
   */
  readonly askedBy: Person;
  /** The name of the command as it was declared. */
  readonly command: string;
  readonly args: Args;
};

/** The argument of a handler of `hears`; `match` has the groups of the pattern. */
export type HeardContext<Session = undefined, N extends Names | undefined = undefined> = Context<
  Session,
  N
> & {
  readonly match: RegExpExecArray;
};
