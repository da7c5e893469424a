import type { Conversation } from './conversation.ts';

/** The narrow of the messages of a conversation. */
export const narrowTo = (conversation: Conversation) =>
  conversation.type === 'channel'
    ? [
        { operator: 'channel', operand: conversation.channel_id },
        { operator: 'topic', operand: conversation.topic },
      ]
    : [{ operator: 'dm', operand: [...conversation.user_ids] }];
