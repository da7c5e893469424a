// The types of messages, conversations and audit records, which several entries name.
export type { ChannelId, UserId } from '@bellhop/protocol';

export type { AnyMessage, ChannelMessage, DirectMessage, Person } from '../delivery.ts';
export type {
  ChannelConversation,
  Conversation,
  Destination,
  Place,
} from '../rest/conversation.ts';
export type { RestAction } from '../rest/observe.ts';
export type { AuditAction, AuditRecord } from '../trust/audit.ts';
