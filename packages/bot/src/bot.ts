export { createBot } from './create-bot.ts';
export type { Bot, Handler, Plugin } from './bot-builder.ts';
export type {
  ApiAccess,
  BotIdentity,
  BotOptions,
  SessionBotOptions,
  SessionOptions,
} from './bot-options.ts';
export type { AnyBot } from './internals.ts';
export type {
  CommandContext,
  Context,
  DirectMessageContext,
  HeardContext,
  MentionContext,
} from './context.ts';
export type { HandlerResult, Reply } from './reply.ts';
export type { Destination, Place } from './rest/place.ts';
export type { Posted, UploadedFile } from './rest/rest.ts';
export { startWork } from './schedules/start-work.ts';
export type { ScheduleContext, TaskContext } from './schedules/background-work.ts';
export type { ChannelMessage, Delivery, DirectMessage, Person, Trigger } from './delivery.ts';
export type { Middleware, Next } from './middleware.ts';

export { fetchHandler } from './adapters/fetch-handler.ts';
export type { ReceiveOptions } from './receiver.ts';

export { BotError, type BotErrorCode } from './bot-error.ts';
export type { DeliveryInfo, DeliveryReport, Failure, Hooks, Warning } from './hooks.ts';
export { combineHooks } from './observe/combine-hooks.ts';
export { logHooks, type Log, type LogOptions } from './observe/log-hooks.ts';
export { memoryStore } from './stores/memory-store.ts';
export type { JsonValue, SetOptions, Store, Stored } from './stores/store.ts';
