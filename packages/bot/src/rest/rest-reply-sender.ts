import type { ReplySender } from './reply-sender.ts';
import type { Rest } from './rest.ts';

/** Sends replies by REST, and searches the conversation for replies that were sent. */
export const restReplySender = (rest: Rest): ReplySender => ({
  send: async (conversation, reply) => void (await rest.post(reply, conversation)),
  hasSent: async (conversation, after, content) =>
    (await rest.find(conversation, { after, content })) !== undefined,
});
