import type { MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import type { PendingChoice } from '../choices/choice.ts';
import { endedContent } from '../choices/ended-choice.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { BotServices } from './turn.ts';

type EndServices = Pick<BotServices, 'rest' | 'replySender' | 'warn'>;

/**
 * Shows in the message of a question how it has ended, which takes its buttons away. Some servers let
 * nobody edit a message with buttons, and all have time limits: the end is then posted, and the message
 * of the question deleted if that is allowed. Never rejects: people are told when they answer late.
 */
export async function showEnd(
  { rest, replySender, warn }: EndServices,
  asked: PendingChoice,
  conversation: Conversation,
): Promise<void> {
  if (rest === undefined || replySender === undefined || asked.isShown === true) return;
  const { messageId, after = 0, content: before = '' } = asked;
  const content = endedContent(asked);
  try {
    const id = (messageId ??
      (await rest.find(conversation, { after: after as MessageId, content: before }))) as
      | MessageId
      | undefined;
    if (id === undefined || (await isDone(rest.edit(id, content)))) return;
    // Somebody may have deleted the question, or an earlier attempt have shown its end.
    const last = (id - 1) as MessageId;
    if ((await rest.find(conversation, { after: last, content: before })) !== id) return;
    if (!(await replySender.hasSent(conversation, id, content)))
      await replySender.send(conversation, { content });
    await isDone(rest.remove(id));
  } catch (error) {
    warn('question_left', 'A question that has ended still looks open.', error);
  }
}

/** False if the server refuses. */
const isDone = (call: Promise<void>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof BotError && error.code === 'api_rejected') return false;
      throw error;
    },
  );
