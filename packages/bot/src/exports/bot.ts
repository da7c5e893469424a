export { createBot } from '../create-bot.ts';
export { start } from '../start.ts';
export { botOptions } from '../bot-options.ts';
export { BotError } from '../bot-error.ts';
export { StreamedReply } from '../rest/streamed-reply.ts';

// A bot and its options.
export type { Bot, ChoiceOptions, Handler } from '../bot-builder.ts';
export type {
  Environment,
  EnvironmentOptions,
  JsonOnly,
  SessionBotOptions,
  SessionOptions,
  SessionsBotOptions,
} from '../bot-options.ts';
export type {
  AnyTasks,
  ChoiceName,
  DialogName,
  FreeTaskName,
  NameOptions,
  Names,
  NamesOf,
  NoNames,
  TaskData,
  TaskName,
  TaskSchemas,
  TasksOf,
} from '../declared-names.ts';
export type { SchemaIssue, StandardResult, StandardSchema } from '../sessions/standard-schema.ts';
export type { MessageOrigin, Scope } from '../sessions/scope-key.ts';
export type * from './option-types.ts';
export type * from './webhook-types.ts';

// Where it runs.
export type { MakeBot, RunningBot, StoreOption } from '../start.ts';
export type {
  NoTransport,
  QueueTransport,
  SignalOptions,
  StartOptions,
  WebhookTransport,
} from '../start-options.ts';
export type { ServeOptions } from '../adapters/serve.ts';
export type { ConnectOptions } from '../queue/connect.ts';
export type { ReceivedMessage } from '../queue/message-delivery.ts';
export type { FetchedMessage, Message, MessageFlag } from '@bellhop/protocol';

// Handlers.
export type {
  AnyContext,
  Choose,
  CommandContext,
  Context,
  Contexts,
  DeleteContext,
  DirectMessageContext,
  EditContext,
  EventContext,
  FollowUpContext,
  HeardContext,
  MentionContext,
  MessageContext,
  PastMessage,
  ReactionContext,
} from '../context.ts';
export type { Reaction } from '../delivery.ts';
export type { Middleware, Next } from '../routing/middleware.ts';
export type { HandlerResult, Reply } from '../rest/reply.ts';
export type { ArgsOf, CheckedUsage, NoTypes } from '../commands/args-of.ts';
export type { ArgumentType, CustomTypes } from '../commands/argument-types.ts';
export type { CommandOptions, WithCustomTypes, WithoutCustomTypes } from '../commands/command.ts';
export type { MentionedUser } from '../mentions.ts';
export type { Permission } from '../routing/permission.ts';
export type { RoleName } from '../role-name.ts';
export type {
  Answerers,
  Choice,
  ChooseInWorkOptions,
  ChooseOptions,
  ChooseToOptions,
  MissedChoice,
} from '../choices/choice.ts';
export type {
  AskToConfirm,
  Confirmation,
  ConfirmationOptions,
  ConfirmationQuestion,
} from '../routing/confirmation.ts';
export type {
  AnswersOf,
  DialogOptions,
  OutputOf,
  Skippable,
  Step,
  Steps,
} from '../dialogs/dialog.ts';
export type { WrongAnswer } from '../dialogs/wrong-answer.ts';

// Schedules and tasks.
export type {
  RestAccess,
  ScheduleContext,
  TaskContext,
  WorkContext,
} from '../schedules/background-work.ts';
export type { ScheduledRun, ScheduleOptions } from '../schedules/schedules.ts';
export type { DueTask, ScheduledTask } from '../schedules/tasks.ts';
export type { ChangeSession, SessionOwner } from '../sessions/change-session.ts';

// The REST API.
export type { AskOptions, Client } from '@bellhop/client/plain';
export type { Attachment } from '../rest/attachments.ts';
export type { HistoryMessage, HistoryRange, OwnMessage } from '../rest/history.ts';
export type { StreamChunk } from '../rest/model-chunks.ts';
export type { PostedMessage } from '../rest/posted-message.ts';
export type { Rest, UploadedFile, UserReference } from '../rest/rest.ts';
export type { StreamOptions } from '../rest/stream-reply.ts';
export type { Chunks, FullStream, StreamSource } from '../rest/stream-source.ts';
export type { Thread, TopicMove } from '../rest/thread.ts';
export type { UserProfile } from '../rest/user-profile.ts';
