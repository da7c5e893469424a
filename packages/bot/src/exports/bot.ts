export { createBot } from '../create-bot.ts';
export { start, type RunningBot } from '../start.ts';
export { botOptions, type BotOptions } from '../bot-options.ts';
export type { Scope } from '../sessions/scope-key.ts';
export type { Clock } from '../clock.ts';
export { BotError } from '../bot-error.ts';

export type { Bot } from '../bot-builder.ts';
export type { AnyBot } from '../internals.ts';
export type { CommandOptions } from '../commands/command.ts';
export type { DialogOptions } from '../dialogs/dialog.ts';
export type { ScheduleOptions } from '../schedules/schedules.ts';
export type { Middleware } from '../middleware.ts';
export type { HandlerResult, Reply } from '../reply.ts';

export type {
  CommandContext,
  Context,
  EventContext,
  MessageContext,
  PastMessage,
} from '../context.ts';
export type { ScheduleContext, TaskContext } from '../schedules/background-work.ts';
export type { Conversation, Destination } from '../rest/conversation.ts';
export type { Rest } from '../rest/rest.ts';
export type { Attachment } from '../rest/attachments.ts';
export type { StreamChunk } from '../rest/model-chunks.ts';
export type { StreamSource } from '../rest/stream-source.ts';
