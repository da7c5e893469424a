export { createBot } from '../create-bot.ts';
export { start, type RunningBot, type StartOptions } from '../start.ts';
export {
  type ApiAccess,
  botOptions,
  type BotOptions,
  type SessionBotOptions,
} from '../bot-options.ts';
export type { Scope } from '../sessions/scope-key.ts';
export type { Clock } from '../clock.ts';
export { BotError } from '../bot-error.ts';

export type { Bot, ChoiceOptions, Plugin } from '../bot-builder.ts';
export type { AnyBot } from '../internals.ts';
export type { CommandOptions } from '../commands/command.ts';
export type { Choice, ChooseOptions, MissedChoice } from '../choices/choice.ts';
export type { DialogOptions } from '../dialogs/dialog.ts';
export type { ScheduleOptions } from '../schedules/schedules.ts';
export type { Middleware } from '../middleware.ts';
export type { HandlerResult, Reply } from '../reply.ts';

export type {
  CommandContext,
  Context,
  DirectMessageContext,
  FollowUpContext,
  HeardContext,
  MentionContext,
  MessageContext,
  PastMessage,
} from '../context.ts';
export type { ScheduleContext, TaskContext } from '../schedules/background-work.ts';
export type { ScheduledTask } from '../schedules/tasks.ts';
export type { SessionOwner } from '../sessions/change-session.ts';
export type { Destination, Conversation } from '../rest/conversation.ts';
export type { StreamChunk } from '../rest/model-chunks.ts';
export type { PostedMessage } from '../rest/posted-message.ts';
export type { Rest } from '../rest/rest.ts';
export type { Attachment } from '../rest/attachments.ts';
export type { StreamSource } from '../rest/stream-source.ts';
export type { StreamedReply } from '../rest/streamed-reply.ts';
export type { Thread } from '../rest/thread.ts';
