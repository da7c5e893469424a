import { callApi } from './call-api.ts';
import { narrowTo } from './narrow-to.ts';
import type { ReplySender } from './reply-sender.ts';
import type { Rest } from './rest.ts';

/** How many messages of the bot `hasSent` searches. */
const MAX_SEARCHED = 100;

/** Sends replies by REST, and searches the conversation for replies that were sent. */
export function restReplySender(rest: Rest, botEmail: string): ReplySender {
  return {
    send: async (conversation, reply) => void (await rest.post(reply, conversation)),
    hasSent: (conversation, after, content) =>
      callApi('search for a reply', async () => {
        const { messages } = await rest.client.messages.fetch({
          anchor: after,
          include_anchor: false,
          num_before: 0,
          num_after: MAX_SEARCHED,
          apply_markdown: false,
          narrow: [...narrowTo(conversation), { operator: 'sender', operand: botEmail }],
        });
        // The server trims the content of a message.
        return messages.some((message) => message.content.trim() === content.trim());
      }),
  };
}
