export { type Budget, budget, type BudgetOptions } from '../limits/budget.ts';
export { type LimitedContext, rateLimit, type RateLimitOptions } from '../limits/rate-limit.ts';
export type { Rate } from '../limits/allowance.ts';

export type { AskOptions } from '@bellhop/client/plain';
export type { ChannelId, MessageId, UserId } from '@bellhop/protocol';

export type { ChangeTrigger, Trigger } from '../delivery.ts';
export type { Middleware, Next } from '../routing/middleware.ts';
export type { HandlerResult, Reply } from '../rest/reply.ts';
export type { ChannelConversation, Conversation } from '../rest/conversation.ts';
export type { PostedMessage } from '../rest/posted-message.ts';
export type { StreamedReply } from '../rest/streamed-reply.ts';
