export { createBot } from './create-bot.ts';
export type { Bot, BotIdentity, Handler } from './create-bot.ts';
export type { CommandContext, Context, DirectMessageContext, MentionContext } from './context.ts';
export { fetchHandler } from './fetch-handler.ts';
export type { ChannelMessage, Delivery, DirectMessage, Sender, Trigger } from './delivery.ts';
export type { DeliveryReport, Failure, Hooks } from './hooks.ts';
export type { ReceiveOptions } from './receiver.ts';
export type { HandlerResult, Reply } from './reply.ts';
