import type { Conversation } from './conversation.ts';

/** The narrow of the messages of a conversation. */
export const narrowTo = (conversation: Conversation) =>
  conversation.type === 'channel'
    ? [
        { operator: 'channel', operand: conversation.channelId },
        { operator: 'topic', operand: conversation.topic },
      ]
    : [{ operator: 'dm', operand: [...conversation.userIds] }];
