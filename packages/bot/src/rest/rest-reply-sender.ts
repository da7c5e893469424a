import type { ReplySender } from '../deliveries/reply-sender.ts';
import { calling } from './api-failure.ts';
import type { Conversation } from './conversation.ts';
import type { Rest } from './rest.ts';

/** How many messages of the bot `hasSent` looks through. */
const LOOKED_THROUGH = 100;

/** Sends replies by REST, and looks whether they have arrived. */
export function restReplySender(rest: Rest, botEmail: string): ReplySender {
  return {
    send: async (conversation, reply) => void (await rest.post(conversation, reply)),
    hasSent: (conversation, after, content) =>
      calling('look for a reply', async () => {
        const { messages } = await rest.client.messages.fetch({
          anchor: after,
          include_anchor: false,
          num_before: 0,
          num_after: LOOKED_THROUGH,
          apply_markdown: false,
          narrow: [...inPlace(conversation), { operator: 'sender', operand: botEmail }],
        });
        // The server takes white space off the ends of a message.
        return messages.some((message) => message.content.trim() === content.trim());
      }),
  };
}

function inPlace(conversation: Conversation) {
  return conversation.type === 'channel'
    ? [
        { operator: 'channel', operand: conversation.channel_id },
        { operator: 'topic', operand: conversation.topic },
      ]
    : [{ operator: 'dm', operand: [...conversation.user_ids] }];
}
