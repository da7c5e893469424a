import { printNote } from '../print-chat.ts';

interface ReceivedMessage {
  readonly id: number;
  readonly sender_id: number;
  /** Name of the client that sent it. */
  readonly client: string;
  readonly content: string;
}

/** The client name of replies by an outgoing webhook and of notices of its failures. */
const FROM_WEBHOOK = 'OutgoingWebhookResponse';

/** Warns once if another program replies for the bot by its webhook. */
export function webhookWatch(bot_id: number): (message: ReceivedMessage) => void {
  let warned = false;
  return ({ id, sender_id, client, content }) => {
    if (warned || sender_id !== bot_id || client !== FROM_WEBHOOK) return;
    warned = true;
    const text = content.length > 60 ? `${content.slice(0, 60)}...` : content;
    printNote(
      `The payload URL of this bot leads elsewhere, and another program replies there: message ${id}, ` +
        `"${text.replaceAll('\n', ' ')}". Stop the bot that runs there.`,
    );
  };
}
